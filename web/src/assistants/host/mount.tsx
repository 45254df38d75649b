import "../../../../assets/tokens.css";
import "./page.css";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { LocaleContext, type Words } from "../../words/use-words.ts";
import { type Answer, type Fields, isFields, readAnswer } from "./answer.ts";
import { connect, type Host } from "./bridge.ts";
import type { Call } from "./call.ts";
import { languageOf } from "./language.ts";
import { applyLook } from "./look.ts";
import { Shown } from "./shown.tsx";
import { ViewContext } from "./view-context.ts";

interface State {
  context: McpUiHostContext;
  input: Fields;
  answer: Answer | "cancelled" | undefined;
  /** How many answers came: each is shown from the start, with nothing expanded. */
  count: number;
}

/** Connects a view to its host and shows what the host sends. `titles` name the document. */
export async function mount(
  name: string,
  titles: Words<string>,
  view: ComponentType<{ call: Call }>,
): Promise<void> {
  const place = document.getElementById("view");
  if (place === null) throw new Error("the document has no #view");
  const root = createRoot(place);
  let host: Host | undefined;
  let state: State = { context: {}, input: {}, answer: undefined, count: 0 };

  const openLink = async (url: string) => (await host?.openLink(url)) ?? false;
  const show = (changed: Partial<State>) => {
    state = { ...state, ...changed };
    const { context, input, answer, count } = state;
    const { locale, ...language } = languageOf(context);
    document.documentElement.lang = locale;
    document.title = titles[locale];
    applyLook(context);
    root.render(
      <LocaleContext value={locale}>
        <ViewContext value={{ ...language, openLink }}>
          <Shown key={count} answer={answer} input={input} view={view} />
        </ViewContext>
      </LocaleContext>,
    );
  };

  show({});
  host = await connect(name, {
    context: (changed) => show({ context: { ...state.context, ...changed } }),
    input: (args) => show({ input: isFields(args) ? args : {} }),
    result: (result) => show({ answer: readAnswer(result), count: state.count + 1 }),
    cancelled: () => show({ answer: "cancelled" }),
  });
  const { sized } = host;
  new ResizeObserver(() => {
    const { width, height } = place.getBoundingClientRect();
    sized({ width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(place);
}
