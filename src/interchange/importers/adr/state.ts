/** What only says how sure somebody was. */
export const TENTATIVE = /^(proposed|draft|제안|초안)/i;
/** What stands no more. */
export const ENDED =
  /^(rejected|deprecated|withdrawn|superse?[cs]?eded|superceded|obsolete|replaced|retired|폐기|철회|기각|반려|거부|대체)/i;
