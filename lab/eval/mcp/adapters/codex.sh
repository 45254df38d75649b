#!/bin/sh
# Codex as a client of the evaluation; it needs `codex` and an account of its vendor. It has not been run.
set -eu
cd "$(mktemp -d)"
last=$(mktemp)
trap 'rm -f "$last"' EXIT
codex exec --skip-git-repo-check --output-last-message "$last" \
  -c "mcp_servers.leadgate.url=\"$LEADGATE_MCP_URL\"" \
  -c 'mcp_servers.leadgate.bearer_token_env_var="LEADGATE_TOKEN"' \
  "$JOB_TEXT" >&2
cat "$last"
