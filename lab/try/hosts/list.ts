import type { Host } from "../support/host.ts";
import { claudeCode } from "./claude-code.ts";
import { clineCli } from "./cline.ts";
import { codexCli } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { geminiCli } from "./gemini-cli.ts";
import { inspectorCli } from "./inspector.ts";
import { mcpRemote } from "./mcp-remote.ts";
import { mcporterCli } from "./mcporter.ts";
import { opencodeCli } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";

/** All hosts, in the order of the table. */
export const HOSTS: readonly Host[] = [
  ...[claudeCode, codexCli, opencodeCli, geminiCli, qwenCode, copilotCli, clineCli],
  ...[mcporterCli, mcpRemote, inspectorCli],
];
