/** Words for the state of a record, in the languages that records are written in: beginnings of words, folded. */
const STATES = {
  /** Says no more than that it is active. */
  active: `accepted approved decided done agreed adopted active in_force 通过 完成 已完成 已确认 确认 已确定 확인
    승인 채택 확정 수락 承認 採用 採択 已接受 接受 已采纳 采纳 已採納 採納 已批准 已通过 已決定 已决定
    akzeptiert angenommen genehmigt beschlossen entschieden accepte adopte approuve valide
    aceptad aprobad adoptad aceit aprovad adotad accettat approvat adottat geaccepteerd aanvaard goedgekeurd
    zaakceptowan przyjet принят утвержден`,
  /** Words that only say how sure somebody was. */
  tentative: `proposed tentative provisional draft proposal pending in_review under_review in_progress in_discussion under_discussion in_consideration under_consideration
    on_hold hold deferred postponed parked paused planned review rfc wip tbd undecided trial experimental
    제안 초안 검토 논의 보류 연기 유보 작성 保留 延期 搁置 暂缓 提案 草案 下書き ドラフト レビュー 検討 提议 已提议 提議 提出 草稿 待定 讨论 審議
    vorgeschlagen vorschlag entwurf in_prufung propose brouillon en_cours en_discussion propuest borrador en_revision
    pendiente propost rascunho em_revisao bozza voorgesteld concept proponowan предложен черновик`,
  /** Something else replaces it. */
  replaced: `superseded superceded supersceded superseeded supserseded obsoleted replaced overruled
    대체 置き換え 置換 差し替え 已取代 取代 被取代 已被 替代 已替代 被替代 替换 已替换 被替换
    ersetzt abgelost remplace reemplazad sustituid supersedid substituid superad sostituit superat vervangen
    zastapion заменен`,
  /** Words for a record that is no longer active. */
  ended: `rejected declined denied deprecated depreciated withdrawn abandoned obsolete retired cancelled canceled inactive expired
    dropped revoked reverted rolled_back discarded not_accepted no_longer archived
    폐기 철회 기각 반려 거부 거절 취소 만료 사용_중단 더_이상 却下 棄却 廃止 非推奨 破棄 取り下げ
    已拒绝 拒绝 已拒絕 拒絕 已废弃 废弃 已廢棄 廢棄 已弃用 弃用 作废 已撤回 撤回
    abgelehnt verworfen veraltet zuruckgezogen uberholt obsolet rejete refuse abandonne deprecie perime
    rechazad obsolet deprecad descartad retirad rejeitad descontinuad rifiutat respint deprecat ritirat
    afgewezen verouderd ingetrokken odrzucon wycofan отклонен устарел`,
} as const;

/** Headings and fields of records: whole names, folded. */
const NAMES = {
  title: `title`,
  feature: `feature_name`,
  status: `status state 상태 ステータス 状態 状态 狀態 statut estado stato stan статус สถานะ`,
  date: `date decision_date date_decided decided_on decided when date_accepted accepted_date accepted_on 날짜 일자 결정일 日付 決定日
    日期 datum fecha data дата`,
  begun: `date_documented documented_on date_started started_on start_date date_created created_date created created_on creation_date
    작성일 作成日`,
  deciders: `deciders 결정자 decisionnaires decideurs decisores entscheider 決定者 意思決定者 决策者 決策者`,
  'decision-makers': `decision_makers decision_maker`,
  tags: `tags tag labels 태그`,
  category: `category categories 분류 카테고리 カテゴリ 分类 kategorie categoria categorie`,
  'technical story': `technical_story`,
  decision: `decision decisions decision_&_consequences decision_and_consequences the_decision our_decision decision_outcome decision_outcomes decision_made decision_taken
    결정 결정_결과 결정_사항 결정사항 결정_내용 채택 決定 決定事項 決定内容 判断 決定結果 决定 决策 决策结果 決策
    entscheidung entscheidungen entscheid beschluss beschlusse entscheidungsergebnis resultat_de_la_decision
    decision_tomada decisiones resultado_de_la_decision decisao decisoes resultado_da_decisao decisione decisioni
    besluit besluiten beslissing beslissingen decyzja decyzje решение решения การตัดสินใจ
    chosen_option decision_and_rationale`,
  /** The decision of a record that has no heading for it, and what was done, which is a reason. */
  what: `what what_we_decided what_was_decided 무엇 무엇을`,
  how: `how how_it_works implementation implementation_details implementation_notes 어떻게 구현 детали_реализации`,
} as const;

/** Headings under which a record says why: beginnings of names, folded. */
const GROUNDS = `context summary abstract drawback decision_driver considered_option options_considered option consequence confirmation validation
  alternative rationale justification reason why because what_follows background problem motivation assumption trade impact risk
  맥락 배경 문맥 근거 이유 대안 결과 영향 문제 검토한 고려
  コンテキスト 背景 文脈 理由 根拠 結果 影響 代替案 選択肢 検討
  上下文 原因 后果 後果 影响 替代方案 备选 備選 考虑 决策驱动 问题
  kontext hintergrund begrundung konsequenz folgen auswirkung alternativen entscheidungstreiber betrachtete
  contexte enonce facteurs raison
  contexto justificaci consecuencia alternativa opciones consequencia justificativa opcoes impacto
    contesto conseguenz gevolgen overwegingen kontekst konsekwencj контекст последствия альтернатив обоснование причин
    บริบท เหตุผล ทางเลือก ผลกระทบ`;

/** Beginnings of a sentence that only leads to a decision. */
const LEADS = `we_considered we_have_considered we_evaluated we_have_evaluated we_compared we_have_compared we_discussed
    we_have_discussed we_looked_at we_have_looked_at several_options a_number_of_options the_following_options
    여러_대안을 다음_대안을 다음과_같은_대안`;

/** Words of a paragraph that tells what was so before the decision, and of one that tells the decision after it. */
const FORMER = `initially originally previously currently at_the_moment at_present until_now so_far in_the_past aanvankelijk initieel oorspronkelijk
    momenteel tot_nu_toe anfangs ursprunglich bisher derzeit zunachst initialement actuellement inicialmente actualmente atualmente
    기존에는 처음에는 현재는 当初 現在は これまで 目前 当前`;
const SINCE = `therefore hence thus so_we from_now_on instead_we we_now daarom vanaf_nu voortaan deshalb daher darum ab_jetzt kunftig desormais
    c'est_pourquoi por_eso por_lo_tanto portanto 따라서 그래서 앞으로 そのため そこで 今後 因此 所以`;
/** Characters of such a paragraph in which the first of them are. */
const OPENING = 100;

/** Headings under which other records are named. */
const LINKS = `links related relates more_information references see_also 관련 참고 링크 関連 参照 相关 相關 参考 verweise
  liens enlaces referencias`;

/** Characters of a name or a state that are read. */
const LONGEST = 200;

/** As words are compared: in lower case, without accents, whatever space or stroke is between them. */
export function folded(text: string): string {
  // Nearly all text is ASCII, which has no accents.
  const plain = /^[\x20-\x7e]*$/.test(text)
    ? text
    : text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC');
  return plain
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

const listed = (words: string): string[] => words.trim().split(/\s+/).map(folded);
const lists = <Name extends string>(all: Record<Name, string>) =>
  Object.entries<string>(all).map(([name, words]) => [name as Name, listed(words)] as const);

const STATE_WORDS = lists(STATES);
const FIELD_NAMES = new Map(lists(NAMES).flatMap(([name, words]) => words.map((word) => [word, name])));
const [GROUND_WORDS, LINK_WORDS, LEAD_WORDS] = [listed(GROUNDS), listed(LINKS), listed(LEADS)];
const [IS_FORMER, IS_SINCE] = [FORMER, SINCE].map(
  (words) => new RegExp(`(?<!\\p{L})(?:${listed(words).join('|')})`, 'u'),
) as [RegExp, RegExp];

/** A state of a part alone: the rest goes on. */
const OF_PART =
  /^\S+ (?:(?:in part|partially|partly)\b|for .*\b(?:remains?|stays?|is still) (?:current|valid|active|in force)\b)/s;

/** The meaning of a state; undefined for an unknown one, so that it counts as active. */
export function stateOf(said: string): keyof typeof STATES | undefined {
  const text = folded(said.slice(0, LONGEST)).replace(/^decision (?=\p{L})/u, '');
  const [, then] = /^\p{L}+ and (.*)$/su.exec(text) ?? [];
  // `fulfilled and superseded`
  if (then !== undefined && isOver(then)) return stateOf(then);
  const isOfPart = OF_PART.test(text);
  const state = STATE_WORDS.find(([, words]) => words.some((word) => text.startsWith(word)))?.[0];
  return isOfPart && state === 'replaced' ? 'active' : state;
}

/** Whether a text is a state and no more: `on hold`, `superseded by D-3`. */
export function isState(said: string): boolean {
  const text = folded(said);
  const isWhole = (word: string) =>
    text.startsWith(word) && /^\S*(?: (?:by|with) .*)?$/.test(text.slice(word.length));
  return STATE_WORDS.some(([, words]) => words.some(isWhole));
}

/** Whether a record says that it is no longer in force. */
export const isOver = (said = ''): boolean => ['ended', 'replaced'].includes(stateOf(said) ?? '');

/** Whether a state is one word that says that the record is active. */
export const standsPlainly = (said: string): boolean =>
  said === '' || (stateOf(said) === 'active' && /^[\p{L}\p{M}]+$/u.test(said));

/** Our name for a heading or a field; undefined for any other. */
export const nameOf = (written: string): keyof typeof NAMES | undefined =>
  written.length > LONGEST
    ? undefined
    : (FIELD_NAMES.get(folded(written)) ??
      FIELD_NAMES.get(folded(written.replace(/\s?[(（][^)）]*[)）]$/, ''))));

/** Whether a heading says that reasons follow. */
export const isGround = (heading: string): boolean =>
  nameOf(heading) === 'how' || beginsWith(heading, GROUND_WORDS);

/** Whether a paragraph only leads to a decision. */
export const isLeading = (text: string): boolean => beginsWith(text, LEAD_WORDS);

/** Whether a paragraph tells what was so before the decision, and not the decision, too. */
export const isFormer = (text: string): boolean =>
  IS_FORMER.test(folded(text.slice(0, OPENING))) && !isSince(text);

/** Whether a paragraph tells what was decided after it. */
export const isSince = (text: string): boolean => IS_SINCE.test(folded(text));

/** Whether a heading says that links follow. */
export const isOfLinks = (heading: string): boolean => beginsWith(heading, LINK_WORDS);

function beginsWith(heading: string, words: readonly string[]): boolean {
  const text = folded(heading.slice(0, LONGEST));
  return words.some((word) => text.startsWith(word));
}
