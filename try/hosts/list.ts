import type { Host } from "../support/host.ts";
import { claudeCode } from "./claude-code.ts";
import { codexCli } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { mcporterCli } from "./mcporter.ts";
import { opencodeCli } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";

/** All hosts, in the order of the table. */
export const HOSTS: readonly Host[] = [claudeCode, codexCli, opencodeCli, geminiCli, qwenCode, mcporterCli];
