#!/bin/sh
# Claude Code as a client of the evaluation; it needs `claude` and a key of its vendor. It has not been run.
set -eu
config=$(mktemp)
trap 'rm -f "$config"' EXIT
printf '{"mcpServers":{"leadgate":{"type":"http","url":"%s","headers":{"Authorization":"Bearer %s"}}}}' \
  "$LEADGATE_MCP_URL" "$LEADGATE_TOKEN" > "$config"
cd "$(mktemp -d)"
claude -p "$JOB_TEXT" --mcp-config "$config" --strict-mcp-config --allowedTools "mcp__leadgate"
