/** How somebody says that work goes on where it stopped: at the beginning of what they say, or as a question. */
const CONTINUING = [
  /^\W*(?:(?:please|ok(?:ay)?|let'?s|now|and)\W+)*(?:continue|go on|carry on|keep going|resume|pick up)(?![\p{L}\p{N}])/iu,
  /\b(?:where|what)\b.{0,20}\b(?:stop(?:ped)?|le(?:ft|ave) off|left it)\b/iu,
  /^\s*(?:(?:자|그럼|이제)[,\s]+)?(?:계속|이어서|이어\s*가|마저)|이어서\s*(?:해|하자|진행)|계속\s*(?:해|하자|진행|할까)\S{0,40}\s*[.!?]?$/u,
  /어디(?:까지|서)\s*(?:했|하다|멈|끝|진행)/u,
];

/** Whether a task is to go on where work stopped, in English and Korean (T-18): then a checkpoint says more than a search. */
export function isContinuing(task: string): boolean {
  return CONTINUING.some((pattern) => pattern.test(task));
}
