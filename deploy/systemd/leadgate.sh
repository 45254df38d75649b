#!/bin/sh
# leadgate on the PATH, as /usr/local/bin/leadgate, for the service of leadgate.service; docs/operate/systemd.md says how to install it.
# The running service performs a command. Without it, a command uses the settings that root can read.
export DATA_DIR="${DATA_DIR:-/var/lib/leadgate}"
settings=/etc/leadgate/leadgate.env
program=/usr/lib/leadgate/bin/leadgate.js
node=/usr/lib/leadgate/node_modules/.bin/node
if [ -r "$settings" ]; then exec "$node" --env-file="$settings" "$program" "$@"; fi
exec "$node" "$program" "$@"
