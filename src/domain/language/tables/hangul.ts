/** Words of engineers and of everyday products in Hangul, `한글: english, english`, the surest first; without particles and endings. */
export const HANGUL = `
# stores
데이터베이스: database, db ; 디비: database, db ; 캐시: cache ; 캐싱: caching, cache ; 레디스: redis ; 테이블: table
저장소: repository, store, storage ; 스토리지: storage ; 저장: save, store, persist ; 쿼리: query ; 질의: query
조회: query, lookup, read ; 검색: search ; 정렬: sort, sorting ; 검색 엔진: search engine ; 인덱스: index
색인: index, indexing ; 트랜잭션: transaction ; 스키마: schema ; 마이그레이션: migration
이관: migration, data migration ; 백업: backup ; 복원: restore ; 복구: recovery, restore
삭제: delete, remove, deletion ; 소프트 삭제: soft delete ; 논리 삭제: soft delete ; 물리 삭제: hard delete
복제: replication, replica, copy ; 레플리카: replica ; 샤딩: sharding, shard ; 샤드: shard ; 파티션: partition
파티셔닝: partitioning, partition ; 커넥션 풀: connection pool ; 커넥션: connection ; 정규화: normalization
외래키: foreign key ; 기본키: primary key ; 무결성: integrity ; 정합성: consistency ; 일관성: consistency
잠금: lock, locking ; 낙관적 락: optimistic locking ; 비관적 락: pessimistic locking
낙관적 잠금: optimistic locking ; 비관적 잠금: pessimistic locking ; 분산락: distributed lock
분산 락: distributed lock ; 격리 수준: isolation level ; 교착 상태: deadlock ; 데드락: deadlock
페이지네이션: pagination ; 페이징: pagination ; 중복: duplicate, deduplication ; 중복 제거: deduplication
중복 방지: deduplication, idempotency ; 보관: retention, archive ; 아카이브: archive
만료: expiration, expire, ttl ; 적재: load, ingest ; 수집: ingest, collection ; 스냅샷: snapshot
몽고디비: mongodb ; 포스트그레스: postgres, postgresql ; 엘라스틱서치: elasticsearch ; 배치: batch, batch job
# messaging
큐: queue ; 메시지: message ; 메시지 큐: message queue ; 메세지: message ; 이벤트: event ; 카프카: kafka
브로커: broker ; 발행: publish ; 소비자: consumer ; 컨슈머: consumer ; 프로듀서: producer ; 토픽: topic
비동기: async, asynchronous ; 재시도: retry ; 멱등성: idempotency, idempotent ; 멱등: idempotent
순서 보장: ordering, ordered delivery ; 웹훅: webhook ; 폴링: polling ; 웹소켓: websocket ; 소켓: socket
실시간: real-time, realtime ; 스트리밍: streaming ; 스트림: stream ; 스케줄러: scheduler ; 스케줄링: scheduling
크론: cron ; 워커: worker ; 알림: notification, alert ; 푸시 알림: push notification ; 이메일: email
문자 메시지: sms ; 지연: delay, latency ; 지연 시간: latency ; 동기화: synchronization, sync ; 백오프: backoff
# network
엔드포인트: endpoint ; 요청: request ; 응답: response ; 페이로드: payload ; 프로토콜: protocol ; 게이트웨이: gateway
프록시: proxy ; 리버스 프록시: reverse proxy ; 로드밸런서: load balancer ; 로드 밸런서: load balancer
부하 분산: load balancing ; 타임아웃: timeout ; 시간 초과: timeout ; 서킷 브레이커: circuit breaker ; 미들웨어: middleware
속도 제한: rate limit ; 호출 제한: rate limit ; 요청 제한: rate limit ; 스로틀링: throttling ; 직렬화: serialization
역직렬화: deserialization ; 방화벽: firewall ; 라우팅: routing ; 대역폭: bandwidth
하위 호환성: backward compatibility ; 하위 호환: backward compatible ; 호환성: compatibility ; 연동: integration
외부 서비스: third-party service ; 인터페이스: interface ; 명세: specification ; 스펙: spec, specification
# auth
인증: authentication, auth ; 인가: authorization ; 로그인: login, sign in ; 로그아웃: logout, sign out
권한: permission, authorization ; 회원가입: sign up, registration ; 회원 가입: sign up, registration
비밀번호: password ; 패스워드: password ; 암호: password ; 암호화: encryption, encrypt ; 복호화: decryption, decrypt
토큰: token ; 세션: session ; 쿠키: cookie ; 시크릿: secret ; 비밀키: secret key, private key ; 공개키: public key
인증서: certificate ; 서명: signature, signing ; 해시: hash ; 소셜 로그인: social login ; 이중 인증: two-factor, 2fa
다중 인증: multi-factor, mfa ; 2단계 인증: two-step verification, 2fa ; 패스키: passkey ; 접근 제어: access control
접근 권한: access rights, permission ; 역할: role ; 보안: security ; 취약점: vulnerability
개인정보: personal data, pii, privacy ; 익명화: anonymization ; 마스킹: masking ; 감사 로그: audit log
최소 권한: least privilege ; 화이트리스트: whitelist, allowlist ; 블랙리스트: blacklist, denylist ; 사용자: user
관리자: admin, administrator ; 회원 탈퇴: account deletion ; 계정: account ; 멀티테넌트: multi-tenant
테넌트: tenant
# delivery
배포: deploy, deployment, release ; 릴리스: release ; 릴리즈: release ; 출시: release, launch ; 롤백: rollback
도커: docker ; 쿠버네티스: kubernetes, k8s ; 컨테이너: container ; 클러스터: cluster ; 파이프라인: pipeline ; 빌드: build
젠킨스: jenkins ; 무중단 배포: zero downtime deployment ; 무중단: zero downtime ; 카나리: canary
카나리 배포: canary release ; 블루그린: blue-green ; 점진적 배포: gradual rollout
지속적 통합: continuous integration, ci ; 지속적 배포: continuous deployment ; 환경: environment
환경변수: environment variable ; 환경 변수: environment variable ; 설정: config, configuration, settings
구성: configuration ; 운영 환경: production ; 운영 서버: production ; 개발 환경: development environment
스테이징: staging ; 로컬: local ; 프로덕션: production ; 인프라: infrastructure ; 클라우드: cloud
온프레미스: on-premise, self-hosted ; 가상머신: virtual machine ; 서버리스: serverless ; 오토스케일링: autoscaling
자동 확장: autoscaling ; 확장성: scalability ; 수평 확장: horizontal scaling ; 이중화: redundancy
고가용성: high availability ; 가용성: availability ; 페일오버: failover ; 장애 조치: failover
재해 복구: disaster recovery ; 테라폼: terraform ; 엔진엑스: nginx ; 프로비저닝: provisioning ; 기능 플래그: feature flag
피처 플래그: feature flag ; 기능 토글: feature toggle ; 비용: cost
# code
의존성: dependency ; 라이브러리: library ; 패키지: package ; 모듈: module ; 프레임워크: framework ; 플러그인: plugin
브랜치: branch ; 커밋: commit ; 병합: merge ; 머지: merge ; 깃허브: github ; 깃랩: gitlab ; 깃: git
풀 리퀘스트: pull request ; 코드 리뷰: code review ; 모노레포: monorepo ; 레포지토리: repository ; 리포지토리: repository
형상 관리: version control ; 버전: version ; 버전 관리: version control, versioning ; 업그레이드: upgrade
리팩토링: refactoring ; 리팩터링: refactoring ; 재작성: rewrite ; 기술 부채: technical debt ; 레거시: legacy
모놀리식: monolith, monolithic ; 모놀리스: monolith ; 마이크로서비스: microservice ; 아키텍처: architecture
설계: design ; 의존성 주입: dependency injection ; 정적 타입: static typing ; 타입스크립트: typescript
자바스크립트: javascript ; 자바: java ; 파이썬: python ; 코틀린: kotlin ; 러스트: rust ; 고랭: golang, go ; 스프링: spring
스프링부트: spring boot ; 장고: django ; 린트: lint ; 린터: linter ; 포맷터: formatter ; 번들러: bundler
스레드: thread ; 쓰레드: thread ; 동시성: concurrency ; 병렬: parallel ; 병렬 처리: parallel processing
분산: distributed ; 경쟁 상태: race condition ; 메모리: memory ; 메모리 누수: memory leak
가비지 컬렉션: garbage collection ; 파서: parser ; 정규식: regex, regular expression
정규표현식: regular expression, regex ; 템플릿: template ; 오픈소스: open source ; 라이선스: license ; 라이센스: license
명명 규칙: naming convention ; 컨벤션: convention ; 상태 머신: state machine ; 컴포넌트: component
크롤링: crawling, scraping
# screens
프론트엔드: frontend ; 프런트엔드: frontend ; 백엔드: backend ; 화면: screen, ui ; 앱: app ; 리액트: react
렌더링: rendering ; 서버 사이드 렌더링: server-side rendering, ssr ; 접근성: accessibility
상태 관리: state management ; 다국어: i18n, multilingual ; 번역: translation
국제화: internationalization, i18n ; 현지화: localization ; 반응형: responsive ; 다크 모드: dark mode
다크모드: dark mode ; 테마: theme ; 디자인 시스템: design system ; 테일윈드: tailwind ; 모달: modal ; 팝업: popup, modal
드롭다운: dropdown ; 무한 스크롤: infinite scroll ; 자동완성: autocomplete ; 업로드: upload ; 첨부파일: attachment
썸네일: thumbnail ; 폰트: font ; 에디터: editor ; 편집기: editor ; 차트: chart ; 드래그 앤 드롭: drag and drop
단축키: keyboard shortcut ; 모바일: mobile ; 오프라인: offline ; 코드 스플리팅: code splitting ; 대시보드: dashboard
# products
카카오톡: kakaotalk ; 카카오: kakao ; 네이버: naver ; 텔레그램: telegram ; 슬랙: slack ; 디스코드: discord ; 노션: notion
피그마: figma ; 지라: jira ; 구글: google ; 애플: apple ; 아마존: amazon ; 애저: azure ; 파이어베이스: firebase ; 스트라이프: stripe
그래프큐엘: graphql ; 앤서블: ansible ; 헬름: helm ; 람다: lambda ; 래빗엠큐: rabbitmq ; 에어플로우: airflow ; 스파크: spark
플러터: flutter ; 스벨트: svelte ; 리덕스: redux ; 웹팩: webpack ; 플레이라이트: playwright ; 사이프러스: cypress
하이버네이트: hibernate ; 파이토치: pytorch ; 텐서플로: tensorflow ; 스노우플레이크: snowflake ; 클릭하우스: clickhouse
# testing
테스트: test, testing ; 단위 테스트: unit test ; 유닛 테스트: unit test ; 통합 테스트: integration test
회귀 테스트: regression test ; 부하 테스트: load test ; 성능 테스트: performance test ; 커버리지: coverage
모킹: mocking, mock ; 스텁: stub ; 픽스처: fixture ; 스냅샷 테스트: snapshot test ; 벤치마크: benchmark
검증: validation, verification
# running
로그: log, logging ; 로깅: logging ; 모니터링: monitoring ; 지표: metrics ; 메트릭: metrics
추적: tracing, tracking ; 분산 추적: distributed tracing ; 트레이싱: tracing ; 경보: alert ; 알람: alarm, alert
장애: outage, incident, failure ; 오류: error ; 에러: error ; 예외: exception ; 예외 처리: exception handling
버그: bug ; 디버깅: debugging ; 성능: performance ; 병목: bottleneck ; 처리량: throughput
응답 시간: response time, latency ; 프로파일링: profiling ; 헬스체크: health check ; 당직: on-call ; 온콜: on-call
장애 보고서: postmortem, incident report ; 프로메테우스: prometheus ; 그라파나: grafana ; 데이터독: datadog
센트리: sentry
# process
결정: decision ; 채택: adopt ; 도입: adopt, introduce ; 대안: alternative ; 이유: reason, rationale
근거: rationale ; 장점: advantage, benefit ; 단점: drawback, disadvantage ; 제약: constraint
제한: limit, restriction ; 폐기: deprecate, discard ; 지원 중단: deprecated, end of support
금지: forbidden, prohibited ; 필수: mandatory, required ; 승인: approval ; 거부: reject, deny
전환: switch, migration ; 교체: replace ; 제거: remove ; 문서: documentation, document ; 문서화: documentation
담당자: owner, assignee ; 정책: policy ; 표준: standard ; 요구사항: requirement ; 우선순위: priority
임시 조치: workaround, temporary fix
# numbers
시간대: timezone ; 타임존: timezone ; 타임스탬프: timestamp ; 날짜: date ; 서머타임: daylight saving time
유닉스 시간: unix time ; 금액: amount, money ; 화폐: currency ; 환율: exchange rate ; 소수점: decimal
정수: integer ; 부동소수점: floating point ; 반올림: rounding ; 인코딩: encoding ; 유니코드: unicode
압축: compression, compress ; 식별자: identifier, id ; 고유 식별자: unique identifier, uuid
결제: payment, billing ; 결제 대행사: payment gateway ; 청구: billing, invoice ; 환불: refund ; 정산: settlement
구독: subscription ; 주문: order ; 장바구니: cart, shopping cart ; 재고: inventory, stock ; 쿠폰: coupon
예약: booking, reservation ; 배송: shipping ; 부가세: vat ; 머신러닝: machine learning ; 기계학습: machine learning
임베딩: embedding ; 언어 모델: language model ; 인공지능: ai, artificial intelligence
음성 인식: speech recognition
# people
고객: customer, client ; 회원: member, user ; 손님: guest, customer ; 직원: staff, employee ; 팀원: team member ; 개발자: developer
운영자: operator ; 방문자: visitor ; 작성자: author ; 판매자: seller, vendor ; 구매자: buyer ; 수신자: recipient ; 상담원: support agent
상담: support, consultation ; 고객센터: customer support, support ; 문의: inquiry, question ; 기사: driver, rider ; 운전자: driver
보호자: guardian, parent ; 학생: student ; 교사: teacher ; 선생님: teacher ; 학부모: parent ; 환자: patient ; 의사: doctor, physician
간호사: nurse ; 어린이: child, children ; 노인: elderly ; 이름: name ; 주소: address ; 전화번호: phone number ; 생년월일: date of birth
주민등록번호: resident registration number ; 프로필: profile ; 연락처: contact
# devices
휴대폰: phone, mobile, device ; 핸드폰: phone, mobile ; 스마트폰: smartphone, phone ; 폰: phone, device ; 전화: phone, call
기기: device ; 단말기: device, terminal ; 단말: device, terminal ; 태블릿: tablet ; 노트북: laptop ; 컴퓨터: computer ; 서버: server
브라우저: browser ; 프린터: printer ; 인쇄: print, printing ; 출력: output, print ; 카메라: camera ; 센서: sensor ; 키오스크: kiosk
바코드: barcode ; 네트워크: network ; 인터넷: internet ; 녹음: recording ; 녹화: recording
# screen
버튼: button ; 메뉴: menu ; 목록: list ; 상세: detail ; 입력: input ; 양식: form ; 아이콘: icon ; 이미지: image ; 사진: photo, picture
동영상: video ; 영상: video ; 글자: text, letter ; 색상: color, colour ; 페이지: page ; 웹사이트: website, site
홈페이지: website, home page ; 링크: link ; 지도: map ; 표시: show, display ; 노출: show, expose ; 선택: choose, select
확인: confirm, check ; 추가: add ; 변경: change ; 수정: edit, update ; 공유: share, sharing ; 초대: invite, invitation ; 차단: block
신고: report ; 다운로드: download ; 전송: send, transfer ; 느리: slow ; 느린: slow ; 빠르: fast, quick ; 빠른: fast, quick
# time
시간표: timetable, schedule, slots ; 시간: time, hour ; 일정: schedule, calendar ; 달력: calendar ; 캘린더: calendar ; 오늘: today
하루: day ; 매일: daily ; 매주: weekly ; 매월: monthly ; 주말: weekend ; 휴일: holiday ; 공휴일: public holiday, holiday ; 야간: night
새벽: early morning, dawn ; 오전: morning ; 오후: afternoon ; 마감: deadline, cutoff, cut-off ; 기한: deadline, due date
기간: period, duration ; 대기: waiting, wait ; 대기열: queue, waiting list ; 대기자: waitlist, waiting list
접수: intake, registration
# money
가격: price ; 요금: fee, fare, price ; 수수료: fee, commission ; 할인: discount ; 카드: card ; 현금: cash
계좌: bank account, account ; 송금: transfer ; 이체: transfer ; 포인트: points ; 적립금: points, credit ; 세금: tax ; 영수증: receipt
매출: revenue, sales ; 급여: salary, payroll ; 은행: bank ; 보험: insurance ; 구매: purchase, buy ; 판매: sale, sell
취소: cancel, cancellation ; 해지: cancel, cancellation, termination ; 무료: free ; 보증금: deposit
# texts
계약: contract ; 약관: terms ; 동의: consent, agreement ; 보고서: report ; 리포트: report ; 파일: file ; 신청: application, request
신청서: application form ; 등록: registration, register ; 리뷰: review ; 후기: review ; 평가: rating, review ; 별점: rating, stars
댓글: comment ; 게시글: post ; 공지: notice, announcement ; 광고: advertisement, ads ; 설문: survey ; 통계: statistics ; 번호: number
처방: prescription ; 진료: treatment, consultation ; 기록: record, log ; 한국어: korean ; 영어: english
# places
병원: hospital, clinic ; 학교: school ; 수업: class, lesson ; 시험: exam ; 성적: grade, score ; 매장: shop, store
가게: shop, store ; 상점: shop, store ; 창고: warehouse ; 주방: kitchen ; 식당: restaurant ; 음식: food, meal ; 식단: menu, meal
요리: cooking, dish ; 상품: product, item ; 제품: product ; 물류: logistics ; 택배: parcel, delivery ; 배달: delivery
차량: vehicle, car ; 주차: parking ; 호텔: hotel ; 객실: room ; 좌석: seat ; 티켓: ticket ; 입장: entry, admission ; 경로: route, path
위치: location, position ; 거리: distance ; 해외: abroad, overseas ; 국내: domestic
`;
