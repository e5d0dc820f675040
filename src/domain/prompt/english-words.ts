import { GENERIC_WORDS } from './generic-words.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';

/**
 * English words of six letters and more that everybody knows, in one form each, without those of prompts
 * (next to it). Such a word is not a typing error of another one: `expensive` is not `extensive` (T-8).
 */
const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  (
    'absent absolute absorb abstract academy accent access accident accompany account accurate accuse achieve ' +
    'acquire address adequate adhere adjacent adjust administer admire admission advance advantage adventure ' +
    'advertise affair affect afford afraid agenda aggregate aggressive agreement airline airport alcohol algorithm ' +
    'alliance allocate alphabet altogether amazing ambition analog analyse analyze ancestor anchor ancient animal ' +
    'announce annual anonymous anticipate antique anxiety apartment apology apparent appeal appetite applicant ' +
    'appoint appreciate approve arbitrary architect archive arrange arrest arrive article artificial artist assemble ' +
    'assess assist associate assure athlete atmosphere attack attend attention attitude attract auction audience ' +
    'author authority authorize autumn average awkward bachelor bacteria balance ballot banana banner bargain ' +
    'barrier basket battery battle bearing beauty because bedroom before behalf belief believe beneath besides ' +
    'betray between beyond bicycle billion binding biology bitter blanket bloody blossom bookings boring ' +
    'borrow bother bottle bought boundary breakfast breathe bridge bright brilliant broadcast broker brother ' +
    'browse browser bubble bucket budget buffer bullet burden bureau butter cabinet cached caching calculate ' +
    'calendar camera campaign campus cancer candidate candle canvas capable capacity captain capture carbon career ' +
    'carpet carrier carrot cartoon castle casual catalog category cattle caution ceiling celebrate century ceremony ' +
    'certificate challenge chamber champion channel chapter charge charity charter checkout cheese chemical ' +
    'chemistry cherry chicken children chocolate choice church cigarette cinema citizen classic clause clearance ' +
    'clever climate clinic clothes cluster coarse coding cognitive collar collect college collision colony combat ' +
    'comfort commerce commercial commission committee commodity communicate community compass compatible ' +
    'compel compensate compete complaint complicate compose composite compound comprehensive compress comprise ' +
    'compromise compute computer conceal concede conceive concentrate concern concert conclude concrete ' +
    'concurrent condemn conduct conference confess confidence confine conflict confront confuse congress conscience ' +
    'conscious consensus consent consequence conservative consist console constitute constraint construct consult ' +
    'consume consumer contact contemporary contempt contest continent contradict contrary contrast ' +
    'contribute controversy convenient convention conversation convey convict convince cookie cooking cooperate ' +
    'coordinate copper copyright corporate correlate correspond corridor corrupt cottage cotton council counsel ' +
    'country county courage cousin cracker cradle creature credential credit criminal crisis criteria critic ' +
    'critical crucial crystal cultivate culture curious currency curtain custody cutting damage ' +
    'dancer danger darkness database daughter dealer debate debris decade decent decimal decision declare decline ' +
    'decoder decorate decrease dedicate deduct defeat defect defence defend defense deficit definite degree delegate ' +
    'deliberate delicate delicious delight deliver delivery demand democracy demonstrate density dentist ' +
    'depart department deploy deployment deposit depress deprive deputy derive descend desert deserve desire despair ' +
    'despite dessert destination destruction detach develop device devote diagnose diamond dictate dictionary ' +
    'difficult digest digital dignity dilemma dimension diminish dinner diplomat director disagree disaster discard ' +
    'discharge discipline disclose discount discover discrete discuss disease dismiss disorder dispose dispute ' +
    'dissolve distance distinct distinguish distort distract distribute district disturb divide divine division ' +
    'divorce doctor domestic dominate donate download drawer dreadful driver drought durable duration ' +
    'earnest eastern economic economy edition educate efficient elaborate elastic elderly election electric ' +
    'electron elegant elevate eligible eliminate embark embarrass embrace emerge emergency emission emotion emperor ' +
    'emphasis empire employ employer encode encoder encounter encourage encrypt endure energy enforce ' +
    'engage enhance enormous ensure enterprise entertain enthusiasm entity entrance envelope episode ' +
    'equation equivalent escape essence establish estate estimate eternal ethnic eventual evidence evident evolve ' +
    'examine exceed excellent except excess exchange excite excuse executive exercise exhaust exhibit exotic expand ' +
    'expense experiment expire explicit explode exploit explore express extension extent external extreme fabric ' +
    'facility factory faculty fairly family famous fantasy farmer fashion fasten father fatigue favour favourite ' +
    'feather federal fellow female festival fiction fierce fighter filename finance finger fiscal ' +
    'fisher fitness flavor flavour flexible flight flower football forbid foreign forest forever forgive ' +
    'formal former formula fortune fossil foster foundation founder fountain fraction fragile fragment freedom ' +
    'freeze freight frequent fright frontier frozen frustrate fulfil fulfill funeral furnish furniture gallery ' +
    'gallon gamble gaming garage garden garlic gateway gather gender general generous genius gentle genuine gesture ' +
    'glance golden gospel gossip govern government governor gradual graduate gravity greedy ground growth guarantee ' +
    'guidance guilty guitar habitat hacker hammer harbor harbour hardly hardware harmony harvest ' +
    'hazard headline health hearing heaven helicopter helmet heritage hesitate highway history holder holiday hollow ' +
    'honour horizon horror hospital hosted hostile hosting household housing humble hungry hunter hurricane husband ' +
    'hybrid hydrogen identical identify identity illegal illness illustrate immediate immense immigrant immune ' +
    'impact imperial implicit impose impossible impress impulse incentive incident income incredible independent ' +
    'indicate individual industry infant infect inferior inflation influence inform ingredient inherent initiate ' +
    'inject injure injury innocent innovate inquiry insect inspire instant instinct institute instruct instrument ' +
    'insult insurance intact integral integrate intellect intelligent intend intense intent interact interest ' +
    'interior interpret interrupt interval intervene interview invade invent inventory invest investigate ' +
    'invite invoice involve island isolate jacket jealous journey judgment jungle justice kernel keyboard kidney ' +
    'kingdom kitchen knowledge laboratory labour ladder landscape lantern latter launch laundry lawyer leader league ' +
    'leather lecture ledger legend leisure lesson liberal liberty licence license lifetime linking liquid ' +
    'listen literary litter living locate location locked locker locking lonely luggage lumber luxury ' +
    'magazine magnet mailer mainly majority mankind manner manufacture mapping marine marker marriage married ' +
    'massive master material maternal matrix mature meadow measure mechanic mechanism medical medicine medium ' +
    'meeting member mental mentor merchant metric migrate migration military miller mineral minister minority ' +
    'miracle mirror mission mixture mobile moderate modern modest monkey monster monthly mortal mortgage mother ' +
    'motion motive mountain movement muscle museum musician mutual mystery narrative narrow nation national nature ' +
    'nearby neglect negotiate neighbor neighbour neither nephew nervous neural neutral nickel nightmare nominal ' +
    'nominate northern notable notify notion nuclear nuisance obligation oblige obscure observation observe obstacle ' +
    'obtain occasion occupy offence offend offense office officer official offset ongoing operate opponent ' +
    'opportunity oppose opposite optical optimistic orange orchestra ordinary organic organize orient origin orphan ' +
    'outbreak outdoor outlet outlook overcome overlap overlook overnight overseas oversee overtime overwhelm oxygen ' +
    'packet paddle painful painter palace parade paradise parallel parcel pardon parent parish parking parliament ' +
    'participant particle partition partner passage passenger passion passive passport password pastor patent ' +
    'patience patient patrol patron payment peanut pebble peculiar penalty pencil pension pepper perceive perform ' +
    'permanent permission permit persist personal personnel perspective persuade phenomenon philosophy physical ' +
    'physician physics pillow pioneer pipeline planet plastic platform player pleasant pleasure pledge plenty poetry ' +
    'poison police policy polite political pollution pooled pooling popular population portal porter portfolio ' +
    'portion portrait possess postage postpone potato potential pottery poverty powder practical praise prayer ' +
    'preach precede precious precise predict pregnant prejudice preliminary premise premium presence president ' +
    'pressure presume pretend prevail priest prince princess principal principle printer prison privilege ' +
    'probable procedure processor producer profession professor profit profound prohibit prominent promote prophet ' +
    'proportion proposal prospect prosper protect protein protest protocol provider province provision provoke ' +
    'publish pudding punish purchase purple pursue pusher puzzle qualify quantity quarrel quarter rabbit ' +
    'racial radical railway ranked ranking rating ration rational reaction reactor reader reality reason ' +
    'recall receipt receiver reception recipe recipient reckon recognize recommend recover recovery recruit recycle ' +
    'refine reflect reform refuge refugee refund refuse regard regime region registry regret regulate rehearse ' +
    'reject relate release reliable relief relieve religion reluctant remain remark remedy remind render repair ' +
    'replica republic reputation require rescue research resemble reservation reserve reside resident resign resist ' +
    'resistance resolution resort response responsible restaurant restrict resume retail retain retire retreat ' +
    'retries reveal revenge revenue reverse revise revision revival revolt revolution reward rhythm ribbon ritual ' +
    'robust rocket romantic roster rotation routine rubber rubbish runtime sacred sacrifice saddle safety ' +
    'sailor salary sanction sandwich satellite satisfy savage saving scandal scatter schedule schema scholar school ' +
    'science scream sculpture search season secondary secret secretary sector segment senate senator sensible ' +
    'sensitive sensor serial servant session settlement sewing shallow shelter shepherd shield shipping shopping ' +
    'shoulder shower shuffle sibling silence silver simulate sister slight smooth society soldier somehow sometime ' +
    'sophisticated southern spatial speaker special species specify spectrum speech sphere spider spirit spiritual ' +
    'splendid sponsor spread spring square stadium staple station statistic statue steady stereo stimulate stomach ' +
    'storage straight strain stranger street strength stress strike stripe stroke struggle student ' +
    'studio stupid subscribe subsequent substance substitute subtle suburb succeed suffer sufficient suicide summer ' +
    'summit sunday superior supervise supper supply support supreme surface surgeon surgery surplus surprise ' +
    'surrender surround survey survive suspend suspicion sustain swallow symbol sympathy symptom synced syncing ' +
    'syndrome synthesis tackle tactic tagged tagging talent teacher technique technology telephone television temper ' +
    'temperature temple tenant tendency tennis tension terminate territory terror testament texture ' +
    'theater theatre therapy thermal thorough threat threaten through thunder timber timeout timing tissue tobacco ' +
    'toilet tolerate tomato tongue torture tourist tracker tradition traffic tragedy trainer ' +
    'transaction transfer transit transmit transparent transport travel treasure treatment treaty tremble tremendous ' +
    'tribute triumph tropical tunnel turkey typical ultimate umbrella unable uncertain undergo undertake unfair ' +
    'uniform universal universe university unlike upload urgent vacation vacuum valley valuable vanish variety ' +
    'vector vegetable vehicle velocity vendor venture verdict vessel veteran victim victory viewer village violate ' +
    'violence violent virtual virtue vision visited visitor visual voluntary volunteer voyage vulnerable waiter ' +
    'wander wanted warehouse warrant warrior washing wealth weapon weather webhook wedding weekly weight welfare ' +
    'western whenever whereas whether whisper whistle winner winter wisdom witness wizard wooden workshop ' +
    'worship worthy writer younger'
  ).split(' '),
);

/** Words that are not typing errors, whether a record has them or not. */
export const KNOWN_WORDS: readonly ReadonlySet<string>[] = [ENGLISH_WORDS, ORDINARY_WORDS, GENERIC_WORDS];
