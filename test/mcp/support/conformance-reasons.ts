/**
 * Why a scenario of the conformance suite, or one of its checks (`scenario: check`), does not apply to our
 * server.
 */
export type Reasons = Record<string, string>;

const because = (reason: string, ...names: string[]): Reasons =>
  Object.fromEntries(names.map((name) => [name, reason]));

/** What the fixtures do not offer either, by revision; names are complete. */
export const NOT_OFFERED: Record<string, Reasons> = {
  "2026-07-28": {
    ...because(
      "no task waits for input: whatever has to be asked is asked before it starts",
      "tasks-mrtr-input",
    ),
    ...because(
      "no task ends with an error of the protocol: what failed is an answer with isError",
      "tasks-lifecycle: sep-2663-tasks-get-status-failed",
    ),
    ...because("no tool requires tasks: without them, the answer names the job", "tasks-required-task-error"),
    ...because(
      "asks for sampling or roots, which are never asked: no tool needs the client's model or its files",
      ...["basic-sampling", "basic-list-roots", "multiple-input-requests", "capability-check"].map(
        (name) => `input-required-result-${name}`,
      ),
      "server-stateless: sep-2575-server-rejects-undeclared-capability",
    ),
  },
  "2025-11-25": {
    ...because(
      "no session is kept; the suite only warns that it cannot try without",
      "server-sse-multiple-streams: server-sse-multiple-streams-session",
      "server-sse-polling: server-sse-polling-session",
    ),
    ...because(
      "a client says once what it can do, what it subscribes to and which log level it wants, which only a session could keep: " +
        "any instance answers any request. The person is asked on a page of the service instead",
      ...["tools-call-sampling", "tools-call-elicitation", "elicitation-sep1330-enums"],
      ...["elicitation-sep1034-defaults", "tools-call-with-logging", "logging-set-level"],
      ...["resources-subscribe", "resources-unsubscribe"],
    ),
  },
};

const ALWAYS: Reasons = {
  ...because(
    "calls tools named test_*",
    ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
    ...["tools-call-mixed-content", "tools-call-error", "tools-call-with-progress"],
  ),
  ...because(
    "gets prompts named test_*",
    ...["prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource"],
    "prompts-get-with-image",
  ),
  ...because("reads test://…", "resources-read-text", "resources-read-binary", "resources-templates-read"),
  ...because("completes a prompt named test_*", "completion-complete"),
  ...because("looks for a tool named json_schema_2020_12_tool", "json-schema-2020-12"),
};

/** Scenarios that need the suite's own tools, resources and prompts, which the service does not have. */
export const FIXTURES: Record<string, Reasons> = {
  "2026-07-28": {
    ...ALWAYS,
    ...because(
      "calls tools and a prompt named test_*",
      ...["tampered-state", "result-type", "request-state", "non-tool-request", "basic-elicitation"]
        .concat(["multi-round", "missing-input-response", "ignore-extra-params"])
        .map((name) => `input-required-result-${name}`),
    ),
    ...because(
      "needs a tool that marks an argument with x-mcp-header: none of ours does",
      "http-custom-header-server-validation",
    ),
    ...because("calls test_missing_capability", "server-stateless: sep-2575-missing-capability-http-400"),
    ...because(
      "calls test_streaming_elicitation",
      "server-stateless: sep-2575-http-server-no-independent-requests-on-stream",
    ),
    ...because(
      "calls tools that start tasks of the suite",
      ...["tasks-wire-fields", "tasks-request-state-removal", "tasks-request-headers", "tasks-lifecycle"],
      ...["tasks-mrtr-composition", "tasks-dispatch-and-envelope", "tasks-capability-negotiation"],
    ),
    ...because("calls test_logging_tool", "server-stateless: sep-2575-server-no-log-without-loglevel"),
    ...because(
      "calls test_trigger_*_change",
      "server-stateless: sep-2575-server-sends-prompts-list-changed-on-subscription",
      "server-stateless: sep-2575-server-sends-tools-list-changed-on-subscription",
    ),
  },
  "2025-11-25": ALWAYS,
};
