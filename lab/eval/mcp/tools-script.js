#!/usr/bin/env node
// Calls the tools of one job. It needs nothing but Node 18 or newer.
//   ./tools list                prints the server's instructions and its tools, as an assistant receives them
//   ./tools call NAME JSON      calls a tool and prints its result; with - as JSON, the arguments come from the input
//   ./tools read URI            prints a resource that a result links to
const SERVER = "{{url}}";

async function ask(method, params) {
  const answer = await fetch(SERVER, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await answer.text();
  const type = answer.headers.get("content-type") ?? "";
  const messages = type.startsWith("text/event-stream")
    ? text
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => JSON.parse(line.slice(5)))
    : [JSON.parse(text)];
  const message = messages.find(({ id }) => id === 1) ?? messages.at(-1);
  if (message?.error) throw new Error(message.error.message);
  if (message?.result === undefined) throw new Error(`The server answered ${answer.status}: ${text}`);
  return message.result;
}

async function list() {
  const started = await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "evaluation", version: "1" },
  });
  if (started.instructions) console.log(`Instructions of the server:\n${started.instructions}\n`);
  const { tools } = await ask("tools/list", {});
  console.log("Tools:");
  for (const { name, description, inputSchema } of tools)
    console.log(JSON.stringify({ name, description, input_schema: inputSchema }));
}

function shown(part) {
  if (part.type === "text") return part.text;
  if (part.type === "resource_link") return `[resource ${part.uri}: ${part.description ?? part.name}]`;
  if (part.type === "resource") return part.resource.text ?? `[resource ${part.resource.uri}]`;
  return `[${part.type}]`;
}

async function input() {
  let text = "";
  for await (const part of process.stdin) text += part;
  return text;
}

async function main([command, name, given = "{}"]) {
  if (command === "list") return await list();
  if (command === "read" && name !== undefined) {
    const { contents } = await ask("resources/read", { uri: name });
    for (const content of contents) console.log(content.text ?? "[binary]");
    return;
  }
  if (command !== "call" || name === undefined)
    throw new Error("Usage: ./tools list | ./tools call NAME JSON | ./tools read URI");
  const result = await ask("tools/call", {
    name,
    arguments: JSON.parse(given === "-" ? await input() : given),
  });
  if (result.isError) console.log("The tool failed:");
  for (const part of result.content ?? []) console.log(shown(part));
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`Error: ${error.message}`);
  process.exitCode = 1;
});
