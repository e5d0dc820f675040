/**
 * Words, and beginnings of words, that are one token of o200k_base each: behind a blank or not, and with a capital letter or not. They are
 * the 2,500 that are first in its vocabulary. `tokens.test.ts` holds this and the lists below against the vocabulary.
 */
export const WORDS: ReadonlySet<string> = new Set(
  (
    'aan ab aber ability able about above abs ac academ acc accept access according account ach act action actions ' +
    'activ active activities activity actual actually ad adapt add added addition additional address adjust admin ' +
    'administr adult adv advert af aff after ag again against age agent ago agr agree ah ahead ai aim air aj ak akt ' +
    'al album ale alert alg align all alle alloc allow allowed allows almost along already als also alt altern ' +
    'although always am amb among amount an analysis anc and android ang anim ann annual another ans answer ant anti ' +
    'any anything ao ap apart api app appe application applications apply appro apr aqu ar arch are area areas arg ' +
    'args argument arguments arm around arr array art article articles artist as ask asked aspect assert assist ' +
    'associated ast async at ati atr att attack attempt attention au auch aud audio auf aus aut auth author auto ' +
    'autom aux av available avec average avoid aw await award away ax ay az ba bab baby back background bad bag bak ' +
    'bal balance ball ban band bank bar bas base based basic basis bat bath be beaut beautiful because bed been ' +
    'before beg begin beh behind bei being bel below bem ben benef ber bere bes besch best bet better between bez bh ' +
    'bi bien big bij bil bill bin bir birth bis bit bl black ble block blog blood blue bo board body bol bon bonus ' +
    'book books bool boolean boost border born bot both bottom bound box boy br bra brand bre break bring bro browser ' +
    'btn bu bud budget buffer build builder building built bul bur burn bus business but button buy by byte bytes ca ' +
    'cab cache cada cal calcul call callback called calls cam camera camp campaign can cannot cap capacity capital ' +
    'capt car card cards care career carry cart cas case cases cash casino cast cat catch category cause ce cel cele ' +
    'cell cells cent center central cer cert certain ces ch cha challenge chance chang change changed changes channel ' +
    'char character characters charg charge chat che check chem child children cho choice choose church ci cin cir ' +
    'circ cit city cl claim class classes cle clean clear click client clients clin clos close cloud club cm cmd co ' +
    'coach code col cold coll collect collection college color colors column com comb come comfort coming comm ' +
    'command comme comment comments commercial commit common commun communication community como comp companies ' +
    'company compar compare compet compl complete completed complex component components compr comput computer con ' +
    'conc concept cond condition conditions conduct conf config configuration confirm conn connect connected ' +
    'connection cons consider console const constant construction constructor consult cont contact container contains ' +
    'content context contin continu continue contr contra contract control controller conv convert cook cookies cool ' +
    'cop copy copyright cor core corpor correct cos cost cou could count counter countries country cour course court ' +
    'cov cover cr cre create created creating cred credit crit critical cro cross cu cuando cult culture cup cur curr ' +
    'current currently custom customer customers cut cv cy da dag daily dal dam damage dan dans dar dark das dat data ' +
    'database date dating day days db de dead deal death deb dec decision decl decor ded deep def default defined deg ' +
    'degree del delete deliver delivery dem den dent dep depend der des desc description desde design dest det detail ' +
    'details detect determ dev develop development device devices dh di dia diagn dialog dict did die dies diet dif ' +
    'diff difference different dig digital dim din dir dire direct direction director dis disc discount discover ' +
    'dispatch display dist distance distributed dit div do doc doctor document does dog doing dol dom domain don done ' +
    'dont door dos double down download dr draw dream dress drink drive driver dro drop drug dry du due dump dur ' +
    'durch during dus dy ea each early earn easy eat echo econom economic ed edge edit editor educ education ee een ' +
    'eff effect effective effects eg ei ein eine either ej ek el ele elect electric element elements elle else em ' +
    'email emb emp employees empty en enable enc end energy eng engine enh ens ensure ent enter entity entr entre ' +
    'entry env environment ep equ equipment er era err error errors es esc esp especial especially esper ess essay ' +
    'essential est esta estate este estr et eu ev evalu even event events ever every everyone everything ex exact ' +
    'exam example exc excellent except exception execut exist existing exit exp expand expect expected exper ' +
    'experience experienced expert expl export express ext external extra eye eyes ez fa fab fabric fac face fact ' +
    'factor fail failed fair faire fal fall false fam famil family fan fans fant far farm fast fat father fav favor ' +
    'favorite fe fear feature features feed feel feet fel fer fest fetch few fi field fields fig fight figure fil ' +
    'file filename files fill film filter fin final finally financial find finding fine finish finished fir fire firm ' +
    'first fit five fix fl flag flex float floor flow fn fo focus fol follow following fon font food foot for force ' +
    'fore form forma format former forms fort forward found four fr fra frame fre free fresh fri friend friendly ' +
    'friends from front fu ful full fully fun func function functions fund future ga gain gal gam game games gan gar ' +
    'gas ge geb gebruik ged geen gel gem gen gener general generate ger ges gest get gets getting gew gez gi gift gir ' +
    'girl girls give given giving gl glass global go goal god goed going gold gone good got government gr grad gradu ' +
    'gran grand graph gratis gre great greater green grid gro ground group groups grow growth gu guard guess guid ' +
    'guide gut gy ha hab had hair hal half han hand handle hands happy har hard has hash hasta hat have having hay he ' +
    'head header health healthy hear heart heat heb height hel held help hem her here het hi hier high higher highest ' +
    'his hist histor history hit ho hol hold hom home hon hop hope hor hospital host hot hotel hour hours house how ' +
    'however html http hu hum human hun hund hy hyd ia ib ich icon id ide idea ideal ideas ident identify if ig ign ' +
    'ik il ill im imag image images img imm immer imp impact implement import important in inc incl include included ' +
    'includes including income increase ind index indic individual industr industry inf infl info inform information ' +
    'ing ingred ini init initi initial inn innov input ins insert inside inst install instance instead instit instr ' +
    'insurance int inte integr intent inter interest interesting interface intern internal international internet ' +
    'into introdu inv invest investment io ip ir is iss isso issue issues ist it item items iter its iyo iz ja java ' +
    'je jed jeg jo job jobs join jour journal js json ju jud just ka kal kam kan kap kar kas kat ke keep ker key kh ' +
    'ki kids kil kind kl km kn know knowledge known ko kom kon kont kor kr ku kun kur kut kw kwa la lab label labor ' +
    'lag lan land lang language large largest las last lat late later latest launch law layer layout le lead leading ' +
    'learn learning least leave led left leg legal len length les less let letter lev level levels li lib library lic ' +
    'license lie life lig light lik like lim limit limited line lines link links list listed listen lit liter little ' +
    'liv live living ll lo load loan loc local located location lock log logger login lok long look looking looks ' +
    'loop los loss lost lot lots lov love low lower lu ma maar mac mach machine made mag mai mail main maint mais ' +
    'major mak make makes making mal man manage management manager mand manufact many map mar margin mark market ' +
    'marketing mas mask mass master mat match material materials matrix matter max maximum may maybe mb me mean ' +
    'meaning means measure mechan med media medical meer meet meeting mehr mel mem member members memory men meng ' +
    'mens ment mental mention menu mer merc mes message messages met metal method methods mi micro mid middle mil ' +
    'mill million min mind minimum minutes mir mis miss mission mist mit mix mm mo mobile mod mode model models ' +
    'modern modify module mol mom moment mon money monitor mont month months mor more mort most mot mother motor ' +
    'mount mov move movie moving mp msg mu much mul mult multi multiple mun mur mus music must mut muy my na nach nag ' +
    'naj nak nam name named names namespace nan nar nas nation national natur natural nature nav nd ne near necessary ' +
    'need needed needs neg nem net network never new news next ng nga nh ni nice nicht nie niet night nil nj no noch ' +
    'node nog nom nombre non nor norm normal nos not note nothing notice nou nous nov now nt nu null num number ' +
    'numbers numer nur nut ny ob obj object objects observ obt oc occ och od oder of off offer offers office official ' +
    'offset often og oh oil ok ol old ole om on once onder one online only ons ont oo ook op open opening oper ' +
    'operation operations operator opin opp opt optim option options or ord order org organ organization original os ' +
    'ot other others otherwise ou our out output outside ov over overall override own owner pa pack package pad ' +
    'padding pag page pages paid pain paint pair pal pan pand panel pap paper par para param parameter parameters ' +
    'params pare parent parents park parse part parte particip partner parts party pas pass passed password past pat ' +
    'path patient patients pattern pay payment pe ped pel pen pens people per percent perfect perform performance ' +
    'period perm permit pero pers person personal pes pet ph phone phot photo photos phys physical pi pick picture ' +
    'pictures pie piece pil pin pl plac place placeholder places plan planning plans plant platform play played ' +
    'player players playing ple please plus po pod point points pol policy polit pom pool pop popular population por ' +
    'porque port pos position positive poss possible post posted posts pot potential pour pow power pr practice pre ' +
    'prec pred prefer prem pres present press pressure pretty prev prevent previous price prices prim primary prime ' +
    'princip principal print prior priv private pro prob probably proble problem proced process processing prod produ ' +
    'produce product production products prof profession professional profile program progress project projects prom ' +
    'prop proper properties property props pros prote protect protected prov provid provide provided provider ps ' +
    'psych pu pub publ public published pul pull pun pur purchase purpose push put qu qual quality quando quant que ' +
    'quel quer query quest question questions qui quick quite ra race rad radio raise random range rank rap rapid rat ' +
    'rate rates rather raw raz re reach read reader reading ready real really reason rec rece receive received recent ' +
    'recogn recommend record records red reduce ref refer reference reflect reg region register regular rel related ' +
    'relations relationship release released rem remember remove removed ren render rent rep report reports represent ' +
    'req request require required requirements requires res research reserv reserved resource resources resp respect ' +
    'respond respons response rest restaurant restr result results ret retr return returned returns rev review ' +
    'reviews ri rich right rights ris risk ro road rob rock role roll rom room rooms root rot round route row ru rub ' +
    'rule rules run running sa sab safe sal sale sales sam same sample san sand sans sar sat sav save saved say sb sc ' +
    'scale scene sch sche schedule school schools science scient score scr screen script se sea search season sec ' +
    'second seconds secret section sector secure security sed see seek seen seg sel select selected selection self ' +
    'sell sem sen send sender sens sense sent ser serial series serv serve server service services ses session set ' +
    'sets sett setting settings setup sh shape share shared she shipping shoot shop shopping short should show shows ' +
    'si side sie sig sign sil sim similar simple sin since sing single sit site sites situ six size sk skills skin sl ' +
    'sleep slot slow sm small smart sn so sob sobre soc social soft software sol sold solid solo solution solutions ' +
    'som some someone something sometimes son song soon sort sou sound source sources sp space spe spec special ' +
    'specific spect speed sport sports spot spr spread sql src st stack staff stage stand standard star start started ' +
    'starting stat state statement states static station status stay std ste step steps ster still stock stop storage ' +
    'store stories story str stra straight strateg strategy stream strength stress strict string strong struct ' +
    'structure stud student students study stuff style su sub subject subs success successful such suggest sum summer ' +
    'sun sup super supp support sur sure surface sus sv sw switch sy sym symbol syn sys system systems sz ta tab ' +
    'table tag tak take taken taking tal talk tam tamb tan tar target task tax te teach team teams tech techn ' +
    'technical technology tel tele tell tem temp temper temperature template tempo temps ten tent ter term terms terr ' +
    'test testing tests text th than thank thanks that the their them theme then there these they thing things think ' +
    'thinking third this those though thought thr thread three through throw throws ti tid til tim time times tip ' +
    'tipo tips tit title tmp to tod today todo todos token tom ton too tool tools top topic tor tot total tou touch ' +
    'tour tout town tr tra trab track trad trade traditional train training trans transfer transform transport trav ' +
    'travel tre tree trial trip tro true trust truth try trying ts tu tun tur turn tv tw two tx txt ty typ type types ' +
    'ub ud uint uit uk ul ult um uma un una und undefined under une unique unit univers uno uns unt unter until up ' +
    'update updated upload upon ur url us use used user username users uses using usually ut util uw uz va vac vai ' +
    'val valid valor value values van var vari variable ve vec vector veel veh vehicle vel ven vend vent ver verb ' +
    'verd vers version vert very vi via vict vid vida video videos vie view views vil vill viol vir virt virtual vis ' +
    'visit visual vit viv vo voc voice void vol volume von voor vor vos vous vs vu wa waar wait waiting walk wall ' +
    'want wanted war warm was wat watch water wax way ways we wear weather web website week weeks weight wel well ' +
    'wenn went wer were wet wh what when where whether which while white who whole why wide width wie wij wild will ' +
    'win wind window wir wire wish with within without wo woman women won wonder wood word words work worked working ' +
    'works world worth would wr write writer writing written wrong ya yang ye year years yet yn yo you young your za ' +
    'ze zelf zijn zo zu zum zur'
  ).split(' '),
);

/** Signs of Korean, Japanese and Chinese that are one token each, also together with a blank before them. */
export const SIGNS_AND_BLANKS: ReadonlySet<string> = new Set(
  '가각간갈감갑값강같개객거건걸검것게겨견결경계고골곳공과관광교구국군궁권귀규그극근글금급기긴길김까깨꽃꾸꿈끝나난날남내너넘네년노논놀농높놓누눈뉴느는늘능니다단달담' +
    '답당대더데도독돈돌동되된될두둘뒤드들듯등디따때떠또뜻라랜러레로루를리링마막만많말맛맞매머먹먼메면명몇모목몰몸못무문물미민밀및바박밖반받발밤방배백버번벌범법베변별' +
    '병보복본볼봉부북분불붙브블비빈빠뿐사산살삼상새색생서선설성세센소속손솔송쇼수숙순숨쉬쉽스슬승시식신실심싶싸쓰씨아악안않알암압앞애액야약양어언얼엄업없에엔여역연열' +
    '영예오온올옵와완왕왜외요욕용우운울움웃워원월웹위유육윤은을음응의이익인일읽임입있자작잘잠잡장재저적전절점접정제조존좀종좋좌주죽준줄중즐증지직진질집찍차착참창찾채' +
    '책처천철첫청체초총최추축출충취측치친침카캐커컨컬컴코콘쿠크큰클키타탄탈태터테토통투트특티팀파판팔패팬퍼페편평폐포폭표풀품풍프플피필하학한할함합항해했행향허헤혁현' +
    '혈협형호혹혼홀홈홍화확환활황회효후휴희힘一丁七万三上下不与专世东两个中丰临丹为主举久乌乐九买二于云五亚京人亿今从他仲件任伊众优会伟伯位佛作保信修個做偷元光克入全' +
    '八公六兰共兴内円写凤凯出分刘创初判利到制前功加动動包化北医十千午半华卓单南博卡印即原去又双发古可台合吉同名后吴周呼和品哈哪唐商喜嘉四回固国图國土圣在地型城基夏外' +
    '多夜大天太奇奥女好如威婷子字学宁安完官定宜宝实客宣家密富察对导将尊小少尚就展属山岳工左巨已巴市希帝常平年广应店康延建开引弘张張強强当彩很徐徒得微德心必快怀怎思性' +
    '总恒悠情惠意愛成我或战房所手扎打找技投拉招拼指捕据排接控推描提插搜摄摩操支收放教数文新方无日时旺昌明易星春是時晋普景曰曲更曾最月有朝木未本权李杏条来杨東松极林柏' +
    '查柳标校根格桂桃梦模横次欢欧正此武每比毛民水永求汇汉江沙河法泛波注泰洛洪活济海消淘淫深添清温港游湖湘满澳激火灵点热無熊熟爱爵牛特状狗狠玉王玛玩环理琪瑞甘生用电男' +
    '留発登發白百的皇盈盐盛相看真石示社神禁福私秋科秒空第等简管米类精系約紫網編红纬纳经给编网罗美羽老联聚股能腾自至色花苍苏若英草荣莱菲葡蓝行衡表被西要解評詳请诺谁调' +
    '豪財贝财贵赌赢赤起超趣足身車转输辽达运连通遂那邦邮部都配酒重野金鑫钱铁铜铭银镇長长開门防阳阿陈隆雅集雷電霍青靖非面韓韩页项顺风飞食饰首香马高魔鸿麻黃黄黑默點鼎龙' +
    'あおがごとなにのはよをアイウエオカガキギクグケコゴサシジスセソタダチテデトドナニネノハバパビピフブプベペホボポマミメモラリレロワ',
);

/** Such signs that are one token each, but none with a blank. */
export const SIGNS: ReadonlySet<string> = new Set(
  '겁겠격겼곡곤괴굴균깔꺼께껴끄끌끔끼낌납났낸낼냈냐냥널넷녀녁념녕닉닌님닝닥닫닷댓덕던덤델돼됐됨됩득든딩떤뜨락란람랍랑래랙램랩랫략량럭런럴럼럽렇렉렌렛려력련렬렴렵렸' +
    '령례록론롤롭롯뢰료룸룹류률르른름릭린릴림립릿망맥맨멀멘며몬뮤므밍벤벨벽봐봤뷰빌빙빛쁘쁜삭샵석섭셀셔션셜셨쇄술슈슨슴습슷십싱써쓴씀씩씬았앙앤앨억엇었엘염였옥왔욱웠' +
    '웨윈율융으잔쟁젝젠져졌족죄죠줘즈즌즘짐짓징짜짝째쪽찌찬찮찰척첨쳐쳤촉촌춘춤춰츠층칙칠칭칼컵케켓켜콜콩큐큼킨킬킹탁탕택턴털텍텐텔템톡톤퇴튀튜튼틀틱틴팅팩펴폰폴폼푸' +
    '퓨픈픽핀핏핑헌험혀혜획훈휘흡흥히힌々〇丈且丘业丝严並丨串丶丸丽乃么义之乎乔乗乘乙也习乡书乱乳乾亂了予争事亏互井些亞亡交亦产亩享亭亮亲什仁仅介仍仓仔仕付仙代令以仪' +
    '们价份企伍伏休伙伝传伤伦估伴伸似但低住佐体何余你佣佩佳使來例供依侠価侣侧侯侵便係促俄俊俗俱俺倍們倒候借倡値倫债值倾假偏停健側偶偿傅備储催傳傷働像僕價億優儿允兄充' +
    '兆先免児兑兒兔党內兩关兵其具典养兼兽冈冊册再冒军农冠冬冰冲决况冷冻净准凉凌减凝几凡処凭凰凸击函刀切刊刑划列则刚删別别刷券刺刻剂則削剑剤剧剩剪副割創劇力办务助努励' +
    '劲劳効势勇勒務勝募勢勤勿匙匹区區升协卒協卖単占卢卧卫危却卷卸厂厅历厉压厕厘厚厦厨县参參叉及友反収叔取受变口句另只叫召史右叶号司吃各吊吐向吕吗君吞吟否吧吨含听启吸' +
    '吹吻吾呀呈告员呢味呵呻命咋咖咨咪响員哥哦哭哲售唯唱啊問啥啦啪善喊喘喝單営喷嗎嗯嘎嘛嘴嘿噜器因团団园困囲図围圆圈園圖團圳场圾址坂均坊坏坐坑块坚坛坝坡坦坪垃埃埔域培' +
    '堂堡報場堵塑塔塘塞填境墓増墙增墨壁壇士壮声売处备変复夕够夢夫央失头夹夺奈奉奋奏契奔奖套奴奶奷奸她妇妈妓妖妙妞妮妹妻姆始姐姑姓委姚姜姨姿娃娇娘娛娜娱婆婚婦媒媳媽嫁' +
    '嫂嫌嫩嬉孔孕存孙孟季孤孩學它宅宇守宋宏宗実宠审室宫宮害宴容宽宾宿寄寒寓寝實寨寫寶寸寺寻対寿封専射將專尋對導尔尖尝尤尸尺尼尽尾尿局屁层居届屋屏履屯岁岗岛岡岩岭岸峡' +
    '峰島崎川州巡巧差己巻币布帅师帐帖带師席帮帯帰帳帶帽幅幕干并幸幻幼幽広庄庆床序库底府废度座庫庭廉廣廷异弃弄弊式弗弟弱弹归录形彦彰影役彻彼往征径待律後從御復循徳徴徽' +
    '忆忍志忘忙応忠忧念忽态怒怕怖怡急怪恋恐恢恩息恶悉悟患悦您悪悲惊惑惜惨惯想感愿慈態慎慢慧慰懂應戀戏戒戦截戰戲戴戶户戸戻才扑扒払托扣执扩扫扬扰扱扶批承把抓抗折抜択抢' +
    '护报披抱抵押抽担拆拍拒拓拔拖拘拜拟拥拨择括拳拾拿持挂按挑挡挣挥振挺损换捷掃授掉掌掛採探措掲揉換握揭援搏搞搬搭携摆摇摘摸撃撑撒撞撤播撮撸擊據擦攝改攻政故效敌敏救敗' +
    '敢散敦敬整敵數斗料斤断斯於施旁旅旋族旗既旦旧旨早旬旭昂昆昔映昨昭昼显晒晓晚晨晰晴晶智暂暇暑暖暗暨暮暴曜曝書曹曼替會朋服朗望期末札术朱机杀杂杆杉材村杜束杭杯杰板构' +
    '析枚果枝枪架柄某染柔柜柱柴査栋栏树栗株样核框案桌桑档桥桶梁梅條梨梯械检棋棒棚森植椒検楚業極楼楽概榜構様槽樂樓標樣橋機橹橾權欠欣欲欺款歉歌歓歡止步歩歲歳歴歷死殊残' +
    '殖段殺毁毅母毎毒毕毫氏气気氣氧汁汗池污汤決汽沁沃沈沉沒沖沟没沢沪油治沿況泄泉泊泡泥泳泽洁洋洗洞津洲派流浅浆测浓浜浦浩浪浮浴涉涓涙涛润涨涩涯液涵淡混済渐減渠渡測湾' +
    '湿満源準溪滋滑滚滤滨滴滿漂漏演漢漫潔潘潜潭潮澡灣灭灯灰灾炉炎炒炮炸為炼烈烟烦烧焦然焼煌煙煤照熱燃燕營爆爰父爷爸爽片版牌牙牡牢牧物牲犬犯狂狐独狸狼猎猛猜猪猫献猴獸' +
    '玄率玖现玲玻珍珠班現球琳琴璃環瓜瓣瓦瓶甚甜產産田由甲申甸町画畅界略番畫異當疆疑疗疫疯疲疼疾病症痛療癌皆皮盆益监盒盖盗盘盟監盤目直盾省眉県眠眼着睛睡督瞬知矩短矿码' +
    '砂研砖破础硕硬确碍碎碑碰確碼磁磨礼祖祝祥票祭禧离禽禾秀种秘租秦积称移程稍税種稱稳稿穆積穴究穿突窍窗窝窥立站竞竟章童端競竹笑笔符筆筋筑答策筛筹签算箭箱節篇築篮簡籍' +
    '粉粒粗粤粮糕糖紀紅納純紙級素索紧累細紹終組経結絡給統絲絶經続維総緒線締縄縮總績繁續纠约级纪纯纲纵纷纸纹纽线练组细织终绍绑结绕绘络绝统继绩绪续维综绿缓缘缩缴缺罚罩' +
    '罪置署羅羊羞群義翁翌習翔翠翻翼耀考者而耐耗耳聊职聘聞聪聯聲職肃肉肌肖肤肥肩肯育肺胃胆背胎胖胜胞胡胶胸脂脑脚脱脸腐腕腰腳腹腿膜膽臀臣臭致臺與興舍舒舔舗舞舟航般舰船' +
    '艇良艳艷艺艾节芝芬芯芳芸芽苑苗苦范茶茸荐荒荡药荷莉莎莓莞莫莲获菌菜華萄萌萝营萨萬落葉著葛董蒂蒙蒲蔡蕉蕩薄薦薪薬藏藝藤虎虐虑處虚號虫虹虽蛇蛋蛛蜂蜜蝶融血術街衛衣补' +
    '袋袖袜袭裁裂装裏裕裙補裝裤裸製襪覆見規視覚覧親観覽觀见观规视览觉角触言訂計訊討記訪設許訳診証詞詢試話誉誌認誘語說説読誰課調談請論講謝證識警議護讀變讓计订认讨让训' +
    '议讯记讲许论设访诀证评识诈诉诊词译试诗诚话询该详语误诱说诸读课谈谋谓谜谢谨谱谷豆豊象豹貌負貨販責買貸費貼賀資賞質購负贡责贤败账货质贫购贯贴贷贸费赁资赋赏赔赖赚赛' +
    '赞赠赫走赴赵赶越趋跃跌跑距跟跨路跳践踏踩踪躁軍転軽較載輪輯輸轉车轨轩轮软轴轻载较辅辆辉辑辖辛辞辣辦辨辰辱農边辺込迁迅过迈迎近返还这进远违迟迪迫述迷迹追退送适逃逆' +
    '选逊透逐递途這速造連週進逸逻逼遇遊運遍過道達違遗遠遣遥適遭遮遵選避邀還邑邪邻郎郑郭郵酷酸醉醒醫采释里量鉄鉴銀錄錯録鍵鏈鐘针钟钢钥钮钻铃铺链销锁锅锋锐错锡锦键镜門' +
    '閉間関閱閲關闪闭问闲间闻阁阅队阪阴阵阶阻附际陆陌降限院除险陪陰陵陶陷険陽隊階随隐隔際障难雀雄雑雕雙雞離難雨雪零需震霞露霸静靠革鞋音響頁頂頃項順須預領頭頻頼題額顔' +
    '願類顶须顾顿预领频颖颗题颜额風飛飯飲養餐館饭饮馆馈馨馬駅験驗驰驱驶驻驾验骑骗骚骤骨骰體鬼魂魅魏魚鱼鲁鲜鲸鳥鸟鸡鸣鸭鹅鹏鹰鹿麗麟麦麼黎黒鼓鼠鼻齐齢龄龍ぁいうぇえか' +
    'きぎくぐけげこさざしじすずせぜそぞただちっつづてでどねばぱひびふぶぷへべほぼぽまみむめもゃやゅゆょらりるれろわんァィェォゲザズゼゾッツヒヘムャヤュユョヨルンヴヶ' +
    'ヽｯｲﾉﾜ',
);
