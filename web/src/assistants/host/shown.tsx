import { Component, type ComponentType, type ReactNode } from "react";
import { useWords, type Words } from "../../words/use-words.ts";
import type { Answer, Fields } from "./answer.ts";
import type { Call } from "./call.ts";
import { Failed, Sentence, Waiting } from "./states.tsx";

const WORDS: Words<Record<"cancelled" | "unknown", string>> = {
  en: {
    cancelled: "The assistant cancelled this call.",
    unknown: "This answer cannot be shown here. The assistant has it as text.",
  },
  "pt-BR": {
    cancelled: "O assistente cancelou esta chamada.",
    unknown: "Esta resposta não pode ser mostrada aqui. O assistente a recebeu como texto.",
  },
};

/** The view of an answer, or a sentence if there is none to show. */
export function Shown(shown: {
  answer: Answer | "cancelled" | undefined;
  input: Fields;
  view: ComponentType<{ call: Call }>;
}) {
  const words = useWords(WORDS);
  const { answer, input, view: View } = shown;
  if (answer === undefined) return <Waiting />;
  if (answer === "cancelled") return <Sentence text={words.cancelled} />;
  const unknown = <Sentence text={words.unknown} />;
  if (answer.kind === "unknown") return unknown;
  if (answer.kind === "failure") return <Failed {...answer} />;
  return (
    <Unless broken={unknown}>
      <View call={{ answer: answer.fields, input }} />
    </Unless>
  );
}

/** Shows `broken` instead of children that cannot be rendered: their answer is not one of the tools of this view. */
class Unless extends Component<{ broken: ReactNode; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  override componentDidCatch(): void {
    this.setState({ isBroken: true });
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.broken : this.props.children;
  }
}
