import { findTrigger, type Trigger } from '../language/trigger.ts';
import { normalized } from '../text/text-pieces.ts';

/** Somebody who asks: at the beginning of a sentence, or after what requests begin with. */
const ASKS = String.raw`(?:^|[.!?:;,\n(]\s*|\b(?:please|and|then|also|ok(?:ay)?|(?:can|could|would|will) you|to)\s+)`;
/** Pointing words that stand alone: "this", not "this form". */
const POINTED_AT = String.raw`(?:this|that|it|these|those)(?=\s*(?:$|[.!?:;,\n)-]|(?:down|for later|please|too)\b))`;
const ENGLISH_MEMO = [
  String.raw`${ASKS}(?:remember|memori[sz]e|memo|note|jot)(?:\s+down)?\s+${POINTED_AT}`,
  String.raw`${ASKS}remember(?:\s+(?:that|to|this)\b|\s*[:,])`,
  String.raw`${ASKS}(?:memo|note)(?:\s+to\s+self)?\s*:`,
  String.raw`\b(?:make|take|write|leave|keep|add)\s+(?:me\s+)?(?:a|an)\s+(?:quick\s+|short\s+)?(?:memo|note)\b(?!\s+(?:field|button|column|page|box|type|to\s+the\s+\w+\s+(?:form|page|table)))`,
  String.raw`\b(?:save|keep|store|record)\s+(?:this|that|it)\b[^.!?\n]{0,20}\b(?:for later|as an?\s+(?:memo|note)|(?:in|to)\s+(?:your\s+|the\s+)?memory)\b`,
];
/** A verb that ends the request: "기억해줘", not "기억해주는 체크박스". */
const KOREAN_REQUEST = String.raw`\s*(?:해|남겨|적어|써)\s*(?:줘|둬|놔|라|주세요|주라|줄래|두자|놓자|달라|요)?(?:요)?(?![가-힣])`;
const KOREAN_MEMO = [
  String.raw`(?:메모|기억|노트)(?:로|에|를|을|좀)?\s*(?:좀\s*)?${KOREAN_REQUEST}`,
  String.raw`(?:이거|이걸|이것|그거|그걸|방금|위에?|지금|이\s*(?:내용|결정|설정|답변))[^.!?\n]{0,20}(?:저장|기록)(?:으로|을|에)?\s*(?:좀\s*)?${KOREAN_REQUEST}`,
  String.raw`잊지\s*마`,
];
const EXPAND = [
  String.raw`^\s*(?:more|expand|더)\s*[.!?]*\s*$`,
  String.raw`\b(?:tell|show|find|give)\s+(?:me\s+)?more\b(?!\s+than)(?=\s*(?:$|[.!?\n]|please|(?:about|on|like|of)\s+(?:this|that|it|them|the (?:last )?memo)\b))`,
  String.raw`\bexpand\s+(?:on\s+)?(?:this|that|it|the (?:last )?(?:memo|note))\b`,
  String.raw`더\s*(?:찾아|탐색)`,
  String.raw`관련\s*(?:된|한|있는)?\s*(?:거|것|걸|메모|기억|내용)(?:[도를을좀]|들)?\s*(?:더|도|좀|보여|알려|찾아|있)`,
];
const patterns = (): [Trigger, RegExp][] => [
  ['memo', new RegExp([...ENGLISH_MEMO, ...KOREAN_MEMO].join('|'), 'u')],
  ['expand', new RegExp(EXPAND.join('|'), 'u')],
];
let made: [Trigger, RegExp][] | undefined;

/**
 * The request of a prompt to the memory (T-11). A word of M-1 is not enough: "the save button" is work, "remember
 * this" is asked. `findTrigger`, which programs ask, stays as wide as M-1 says.
 * @param said as `saidIn` finds it
 */
export function askedOfMemory(said: string): Trigger | undefined {
  if (!findTrigger(said)) return undefined;
  const plain = normalized(said, 'NFKC').toLowerCase();
  made ??= patterns();
  return made.find(([, pattern]) => pattern.test(plain))?.[0];
}
