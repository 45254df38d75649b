import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectUriFault } from "../../src/domain/clients/redirect-uri.ts";

test("a private-use scheme is a reversed domain name, or the scheme of a known client", () => {
  const allowed = [
    ["com.example.app:/callback", "com.example.app://callback", "COM.Example.App:/callback"],
    [
      "io.github.some-one.tool:/cb",
      "br.com.example:/cb",
      "xn--bcher-kva.example.app:/cb",
      "com.raycast:/oauth",
    ],
    ["com.googleusercontent.apps.123-abc:/oauth2redirect"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-retrieval/oauth/callback"],
    ["vscode://saoudrizwan.claude-dev/mcp-auth/callback/abc123", "vscode-insiders://some.extension/cb"],
    ["VSCode://some.extension/cb", "vscodium://some.extension/cb", "windsurf://some.extension/cb"],
    ["claude://oauth/callback", "warp://mcp/oauth2callback", "raycast://oauth?package_name=Extension"],
  ].flat();
  for (const uri of allowed) assert.equal(redirectUriFault(uri), undefined, uri);
  const unknown = [
    [
      "myapp:/cb",
      "my-app://cb",
      "cursorx://cb",
      "xcursor:/cb",
      "cursor-:/cb",
      "claude+x:/cb",
      "urn:ietf:wg:oauth:2.0:oob",
    ],
    [
      "com.:/cb",
      "com..app:/cb",
      "com.-app:/cb",
      "com.app-:/cb",
      "com.example+x:/cb",
      "c.example:/cb",
      "a1.example:/cb",
    ],
  ].flat();
  for (const uri of unknown) {
    assert.match(redirectUriFault(uri) ?? "", /reversed domain name, such as com\.example\.app/, uri);
  }
});

test("a scheme that starts a program or acts on the device is no scheme for redirects", () => {
  const schemes =
    `javascript data file blob about vbscript mailto tel sms smsto mms facetime ftp sftp ssh telnet ldap smb ws wss
    ms-msdt search-ms search ms-officecmd ms-word ms-settings ms-appinstaller ms-cxh-full msteams onenote itms-services
    itms-apps intent android-app market chrome chrome-extension edge moz-extension resource view-source filesystem
    jar mhtml res hcp shell steam zoommtg slack git magnet bitcoin web+x x-apple.systempreferences
    vnd.ms.radio ie.http ie.ftp ie.assocfile.url outlook.url.mailto.15 google.navigation google.streetview microsoft.windows.camera microsoft.windows.photos.crop windows.tbauth iris.beep soap.beep
    xmlrpc.beeps z39.50r android.resource`.split(/\s+/);
  for (const scheme of schemes) {
    for (const uri of [`${scheme}:x`, `${scheme}://host/path`, `${scheme.toUpperCase()}:/cb`]) {
      assert.notEqual(redirectUriFault(uri), undefined, uri);
    }
  }
  for (const uri of [
    "ms-msdt:/id",
    "MS-MSDT:/id",
    "search-ms:query=x",
    "itms-services://?action=x",
    "mailto:a@b.example",
  ]) {
    assert.match(redirectUriFault(uri) ?? "", /^has the scheme of a program or of the device/, uri);
  }
});
