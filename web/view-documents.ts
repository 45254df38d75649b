import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Plugin, type Rollup } from "vite";

/** The views of src/assistants: each shows answers of some of the tools for assistants. */
const VIEWS = ["results", "lead", "change"];

/** The most bytes of a view: hosts read it before they show its first answer. */
const MOST_BYTES = 60_000;

/**
 * Writes the views into `views` of the build: each one HTML document with its script and style, since a host lets it request
 * nothing. Fails if one is too large.
 */
export function viewDocuments(target: string[]): Plugin {
  let [root, folder] = ["", ""];
  return {
    name: "leadgate-views",
    apply: "build",
    configResolved: (config) => {
      root = config.root;
      folder = resolve(root, config.build.outDir);
    },
    async closeBundle() {
      mkdirSync(join(folder, "views"), { recursive: true });
      for (const name of VIEWS) {
        const document = await documentOf(root, name, target);
        const bytes = Buffer.byteLength(document);
        if (bytes > MOST_BYTES)
          throw new Error(`the view ${name} has ${bytes} bytes, more than the ${MOST_BYTES} allowed`);
        writeFileSync(join(folder, "views", `${name}.html`), document);
      }
      appendFileSync(join(folder, "licenses.md"), licenceOf("preact"));
    },
  };
}

async function documentOf(root: string, name: string, target: string[]): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    resolve: { alias: aliases(root) },
    css: { modules: { generateScopedName: "[hash:base64:4]" } },
    build: {
      write: false,
      target,
      cssCodeSplit: false,
      modulePreload: false,
      rollupOptions: { input: join(root, `src/assistants/${name}/main.tsx`) },
    },
  })) as Rollup.RollupOutput;
  const script = output.flatMap((each) => (each.type === "chunk" ? [each.code] : []));
  const style = output.flatMap((each) => (each.type === "asset" ? [String(each.source)] : []));
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><title>Leadgate</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<style>${style.join("").trim()}</style></head>`,
    `<body><div id="view"></div><script type="module">${inScript(script.join("").trim())}</script></body></html>`,
  ].join("");
}

/** The panel's parts are written for React, which alone is larger than a view may be: Preact takes its place. */
function aliases(root: string): Record<string, string> {
  const own = join(root, "src/assistants/host/react.ts");
  return { "react/jsx-runtime": "preact/jsx-runtime", "react-dom/client": own, react: own };
}

/** Script text that does not end its element (HTML, 4.12.1.3). */
const inScript = (code: string): string => code.replaceAll(/<(?=\/script|script|!--)/gi, "\\x3c");

/** A package's entry in the form of Vite's own list of licences. */
function licenceOf(name: string): string {
  const folder = resolve("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  return `\n## ${name} - ${version} (${license})\n\n${text}\n`;
}
