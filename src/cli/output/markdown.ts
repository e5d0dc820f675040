import { visible } from '../../domain/text/visible.ts';

/**
 * A text of a record on one line of Markdown: nothing in it is a mark, HTML, a link, or a name or number by which a forge
 * would notify somebody or link something. Not even a character reference keeps a forge from taking `@kim` for a name, so
 * one without width follows the sign.
 */
export const inMarkdown = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>&|~$]/g, '\\$&')
    .replace(/[@#](?=\w)/g, '$&&#8203;')
    .replace(/:(?=\/\/)/g, '&#58;')
    .trim();
