/** Words that engineers write in Katakana and Han, `カタカナ: english, english`, the surest first. */
export const KATAKANA = `
# データ
データベース: database, db ; キャッシュ: cache ; クエリ: query ; インデックス: index ; スキーマ: schema
トランザクション: transaction ; マイグレーション: migration ; 移行: migration ; バックアップ: backup ; 復元: restore
復旧: recovery ; レプリカ: replica ; レプリケーション: replication ; シャーディング: sharding ; 検索: search
保存: save, store ; 削除: delete, remove ; 論理削除: soft delete ; 物理削除: hard delete ; 正規化: normalization
整合性: consistency, integrity ; 一貫性: consistency ; 排他制御: locking, mutual exclusion
楽観ロック: optimistic locking ; 悲観ロック: pessimistic locking ; デッドロック: deadlock ; ページネーション: pagination
重複排除: deduplication ; ストレージ: storage ; 外部キー: foreign key ; 主キー: primary key
有効期限: expiration, expiry, ttl ; 保持期間: retention period
# メッセージ・API
キュー: queue ; 非同期: async, asynchronous ; 同期: sync, synchronous ; リトライ: retry ; 再試行: retry
冪等性: idempotency, idempotent ; 冪等: idempotent ; タイムアウト: timeout ; 通知: notification
プッシュ通知: push notification ; スケジューラ: scheduler ; リアルタイム: real-time ; ストリーミング: streaming
ポーリング: polling ; ロードバランサ: load balancer ; 負荷分散: load balancing ; レート制限: rate limit
互換性: compatibility ; 後方互換性: backward compatibility
# 認証・セキュリティ
認証: authentication, auth ; 認可: authorization ; ログイン: login ; ログアウト: logout
会員登録: sign up, registration ; パスワード: password ; 暗号化: encryption ; 復号: decryption ; トークン: token
証明書: certificate ; 署名: signature, signing ; 秘密鍵: private key, secret key ; 公開鍵: public key
権限: permission ; 二段階認証: two-step verification, 2fa ; 多要素認証: multi-factor, mfa ; 脆弱性: vulnerability
個人情報: personal data, pii ; 監査ログ: audit log ; 管理者: admin ; 管理画面: admin panel
# デプロイ・運用
デプロイ: deploy, deployment ; リリース: release ; ロールバック: rollback ; コンテナ: container
オンプレミス: on-premise, self-hosted ; オンプレ: on-premise, self-hosted ; サーバーレス: serverless
仮想マシン: virtual machine ; 環境変数: environment variable ; 本番環境: production ; 本番: production
設定: config, configuration, settings ; 冗長化: redundancy ; 高可用性: high availability ; 可用性: availability
フェイルオーバー: failover ; 災害復旧: disaster recovery ; オートスケール: autoscaling ; 無停止: zero downtime
段階的リリース: gradual rollout ; カナリアリリース: canary release ; 監視: monitoring ; ログ: log, logging
障害: outage, incident, failure ; 障害対応: incident response ; エラー: error ; 例外: exception
性能: performance ; レイテンシ: latency ; 遅延: latency, delay ; スループット: throughput ; メトリクス: metrics
継続的インテグレーション: continuous integration, ci
# コード・画面・試験
依存関係: dependency ; 依存性注入: dependency injection ; ライブラリ: library ; フレームワーク: framework
リポジトリ: repository ; モノレポ: monorepo ; プルリクエスト: pull request ; コードレビュー: code review
リファクタリング: refactoring ; 技術的負債: technical debt ; モノリス: monolith ; マイクロサービス: microservice
型チェック: type checking ; 並行処理: concurrency ; 並列処理: parallel processing
正規表現: regex, regular expression ; フロントエンド: frontend ; バックエンド: backend ; 状態管理: state management
国際化: internationalization, i18n ; 多言語: multilingual, i18n ; 翻訳: translation
アクセシビリティ: accessibility ; ダークモード: dark mode ; 単体テスト: unit test ; 結合テスト: integration test
負荷テスト: load test ; カバレッジ: coverage ; モック: mock
# 決定・時間・領域
採用: adopt ; 却下: reject, rejected ; 廃止: deprecate, remove ; 非推奨: deprecated ; 理由: reason, rationale
代替案: alternative ; 仕様: specification ; 承認: approval ; 命名規則: naming convention ; タイムゾーン: timezone
タイムスタンプ: timestamp ; 夏時間: daylight saving time ; 通貨: currency ; 四捨五入: rounding
文字コード: character encoding ; 圧縮: compression ; 決済: payment ; 請求: billing, invoice ; 返金: refund
予約: booking, reservation ; 在庫: inventory, stock ; 機械学習: machine learning ; 音声認識: speech recognition
`;
