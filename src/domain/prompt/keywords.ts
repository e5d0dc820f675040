import { keywordsIn } from '../language/keywords.ts';
import { inSmall } from '../text/text.ts';
import { GENERIC_WORDS } from './generic-words.ts';

/** Words in lower case after which a secret may follow, in English and Korean, alone or inside a name such as DB_PASSWORD. */
const SECRET =
  /(?:[a-z0-9_-]*_)?(?:pass(?:wor[dt]|wd|phrase|code)|(?<![a-z])(?:pass|pwd?|pin|otp|psk)(?![a-z])|token|secret|credential|bearer|authorization|(?<![a-z])(?:api|access|private|ssh|license)?[\s_-]?keys?(?![a-z])|비밀|비번|암호|패스워드|토큰|시크릿|인증\s*번호|(?<![가-힣])키(?=[가는를는은이]?(?:[\s:=]|$)))/;
/** A name of an account, with what says that it is one, in lower case. */
const ACCOUNT = /(?:user(?:name)?|login|account|id|계정|아이디|로그인)\s*(?:[:=]|\bis\b|은|는)\s*\S+/g;
/** Pieces that are data and no words: with signs of paths, addresses, settings and encodings inside. */
const DATA = /[/\\@=+%&#|~^$<>{}[\]_]|\.\w|:\w|\w-\w*\d|\d\w*-\w/u;
/** Signs around a word. */
const SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
/** An option of a command may have a secret at its end: `-pTiger`. */
const OPTION = /^--?\w/;
/** Longer pieces that mix letters and digits, or letters of both cases, are data. */
const LONGEST_MIXED = 12;
/** Longer pieces of any Latin letters are data, too. */
const LONGEST_PIECE = 24;
/** Words written as one, such as `NetworkManager` (RE-10). In random letters the case changes too often for that. */
const JOINED = /^(?:(?:^|[A-Z])(?=[a-z]*[aeiouy])[a-z]{2,})+$/;
/** Where the last sentence or line of a text begins. */
const LAST_SENTENCE = /[^.!?\n]*$/;
const CODE = /`[^`\n]*`/g;

/**
 * The words of a prompt that may become keywords without being asked for (M-11), at most ten: none out of code, pasted
 * logs, addresses and paths, none that mixes letters and digits over 12 characters, nothing from a sentence
 * with a word such as password, token, key or secret on, none that every prompt has. Which of them do is decided by what the memory and the session know already.
 * @param said as `saidIn` finds it
 */
export function recordableWords(said: string): string[] {
  const plain = withoutAccounts(said.normalize('NFKC').replace(CODE, ' '));
  const secret = inSmall(plain).match(SECRET);
  // A secret may be on either side of its name.
  const before = secret ? plain.slice(0, plain.slice(0, secret.index).search(LAST_SENTENCE)) : plain;
  return keywordsIn(
    before
      .split(/\s+/)
      .filter((piece) => !isData(piece))
      .join(' '),
  ).filter((word) => !GENERIC_WORDS.has(word));
}

function withoutAccounts(text: string): string {
  let left = '';
  let end = 0;
  for (const { 0: found, index } of inSmall(text).matchAll(ACCOUNT)) {
    left += `${text.slice(end, index)} `;
    end = index + found.length;
  }
  return left + text.slice(end);
}

function isData(piece: string): boolean {
  const bare = piece.replace(SIGNS, '');
  if (DATA.test(bare) || OPTION.test(piece)) return true;
  const latin = bare.replace(/[^A-Za-z0-9-]/g, '');
  const isCamel = /[a-z][A-Z]/.test(latin);
  if (isCamel && JOINED.test(latin)) return false;
  const isMixed = (/\d/.test(latin) && /[A-Za-z]/.test(latin)) || isCamel;
  return latin.length > LONGEST_PIECE || (isMixed && latin.length > LONGEST_MIXED);
}
