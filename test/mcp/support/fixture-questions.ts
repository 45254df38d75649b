import { Type } from "typebox";
import { faultFinder } from "../../../src/domain/operation/input-faults.ts";
import {
  type Call,
  Content,
  type Prompt,
  type Question,
  Questions,
  type Tool,
} from "../../../src/surfaces/mcp/protocol/registry.ts";

// What the conformance suite expects of tools and prompts that ask.

type Asked = Record<string, Question>;

const form = (message: string, properties: object, required: string[]): Question => ({
  message,
  schema: { type: "object", properties, required },
});

const one = (message: string, name: string, type = "string"): Question =>
  form(message, { [name]: { type } }, [name]);

/** Returns a tool that asks until everything is answered, and then returns the answers. */
function asks(
  name: string,
  asked: Asked | ((args: Record<string, unknown>) => Asked),
  said: (call: Call) => string = (call) => JSON.stringify(call.answers),
  input = Type.Object({}) as ReturnType<typeof Type.Object>,
): Tool {
  return {
    name,
    title: name,
    description: `A fixture: ${name}.`,
    input,
    needs: "leads:read",
    faults: faultFinder(input),
    async run(call, args) {
      const all = typeof asked === "function" ? asked(args as Record<string, unknown>) : asked;
      const open = Object.entries(all).filter(([question]) => call.answers[question] === undefined);
      if (open.length > 0) return new Questions(Object.fromEntries(open));
      return new Content([{ type: "text", text: said(call) }]);
    },
  };
}

const completed = ({ answers }: Call): string => {
  const [answer] = Object.values(answers);
  return `Elicitation completed: action=${answer?.action}, content=${JSON.stringify(answer?.content)}`;
};

const titled = (values: string[]) => values.map((value) => ({ const: value, title: `Title of ${value}` }));

const DEFAULTS = form(
  "Please review the defaults",
  {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  [],
);

const ENUMS = form(
  "Please choose",
  {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled(["value1", "value2", "value3"]) },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled(["value1", "value2", "value3"]) } },
  },
  [],
);

const steps: Asked = { step1: one("Step 1: What is your name?", "name") };

export const ASKING_TOOLS: Tool[] = [
  asks(
    "test_elicitation",
    ({ message }) => ({
      user: form(
        String(message),
        {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        ["username", "email"],
      ),
    }),
    (call) => `User response: ${JSON.stringify(call.answers.user)}`,
    texts("message"),
  ),
  asks("test_elicitation_sep1034_defaults", { form: DEFAULTS }, completed),
  asks("test_elicitation_sep1330_enums", { form: ENUMS }, completed),
  asks("test_streaming_elicitation", { user: one("Who?", "name") }),
  asks("test_missing_capability", { user: one("Anything?", "name") }),
  {
    ...asks("test_input_required_result_elicitation", { user_name: one("What is your name?", "name") }),
    takesUnasked: true,
  },
  asks(
    "test_input_required_result_request_state",
    { confirm: one("Please confirm", "ok", "boolean") },
    () => "state-ok",
  ),
  asks("test_input_required_result_tampered_state", { confirm: one("Please confirm", "ok", "boolean") }),
  {
    ...asks("test_input_required_result_multi_round", steps),
    async run({ answers }) {
      if (answers.step1 === undefined) return new Questions(steps);
      if (answers.step2 === undefined) {
        return new Questions({ step2: one("Step 2: What is your favorite color?", "color") });
      }
      return new Content([{ type: "text", text: JSON.stringify(answers) }]);
    },
  },
];

export const ASKING_PROMPT: Prompt = {
  name: "test_input_required_result_prompt",
  title: "A prompt that asks",
  description: "A fixture: a prompt that asks.",
  arguments: [],
  needs: "leads:read",
  async get({ answers }) {
    if (answers.user_context === undefined) {
      return new Questions({ user_context: one("What context should the prompt use?", "context") });
    }
    const text = JSON.stringify(answers.user_context.content);
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  },
};

function texts(...names: string[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
}
