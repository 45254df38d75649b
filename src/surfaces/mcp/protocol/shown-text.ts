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
  if (isEmoji(part)) return part;
  if (part === "\u2028" || part === "\u2029") return " ";
  const [first = "", ...others] = part;
  if (others.length === 0) return HIDDEN.test(first) ? "" : first;
  return part.includes("\u200d")
    ? part.split("\u200d").map(shownPart).join("")
    : part.replace(ALL_HIDDEN, "");
}

const ALL_HIDDEN = new RegExp(HIDDEN.source, "gv");

/** Whether a sequence is one emoji; some programs leave out variation selectors inside a joined one. */
const isEmoji = (part: string): boolean =>
  EMOJI.test(part) || (part.includes("\u200d") && EMOJI.test(part.replace(UNQUALIFIED, "$&\u{FE0F}")));
