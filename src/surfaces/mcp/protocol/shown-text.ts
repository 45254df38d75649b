/**
 * What a model reads and a person does not see: control characters except line feed and tab, bidirectional controls,
 * everything that Unicode calls ignorable (variation selectors, fillers, joiners, tags), line and paragraph
 * separators, and interlinear marks.
 */
const HIDDEN =
  /[[\p{Cc}--[\n\t]]\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2028}\u{2029}\u{FFF9}-\u{FFFB}]/v;

/** A sequence that may be an emoji with hidden characters in it, else one hidden character. */
const CANDIDATE = new RegExp(
  [
    String.raw`[#*0-9]\u{FE0F}\u{20E3}`,
    String.raw`\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}`,
    String.raw`\p{ExtPict}[\u{FE0F}\p{EMod}]?(?:\u{200D}\p{ExtPict}[\u{FE0F}\p{EMod}]?)*`,
    HIDDEN.source,
  ].join("|"),
  "gv",
);

const EMOJI = /^\p{RGI_Emoji}$/v;

/** A pictograph with the selector that keyboards write after it, whether it needs it or not. */
const SELECTED = /^\p{Emoji}\u{FE0F}$/v;

/** The same selector where a sequence is an emoji without it. */
const NEEDLESS = /(\p{Emoji_Presentation})\u{FE0F}/gv;

/** Tones of skin, which families of several people do not have in the list of emoji. */
const TONES = /\p{EMod}/gv;

/** A pictograph that is text by default and has nothing after it that makes it an emoji. */
const UNQUALIFIED = /(?!\p{Emoji_Presentation})\p{ExtPict}(?![\u{FE0F}\p{EMod}])/gv;

/** Most strings consist of these alone. */
const PLAIN = /^[\n\t -~]*$/;

/**
 * Returns a text without hidden characters, for assistants. Emoji sequences of Unicode stay whole; separators of lines
 * and paragraphs become spaces. JSON stays JSON.
 */
export function shownText(text: string): string {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return text;
  return text.replace(CANDIDATE, shownPart);
}

function shownPart(part: string): string {
  if (part === "\u2028" || part === "\u2029") return " ";
  const [first = "", ...others] = part;
  // First, because it is cheap: long texts may consist of single pictographs.
  if (others.length === 0) return HIDDEN.test(first) ? "" : first;
  if (SELECTED.test(part) || isEmoji(part)) return part;
  return part.includes("\u200d")
    ? part.split("\u200d").map(shownPart).join("")
    : part.replace(ALL_HIDDEN, "");
}

const ALL_HIDDEN = new RegExp(HIDDEN.source, "gv");

/**
 * Whether a sequence is one emoji. Of a joined one, some programs leave out variation selectors, some write more of
 * them, and each person may have a tone.
 */
function isEmoji(part: string): boolean {
  if (EMOJI.test(part)) return true;
  if (!part.includes("\u200d")) return false;
  const usual = part.replace(NEEDLESS, "$1");
  return [usual, usual.replace(TONES, "")].some(
    (each) => EMOJI.test(each) || EMOJI.test(each.replace(UNQUALIFIED, "$&\u{FE0F}")),
  );
}
