import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import preset from "postcss-preset-mantine";
import { defineConfig, type Plugin } from "vite";
import { referencePage } from "./reference-page.ts";
import { viewDocuments } from "./view-documents.ts";

/** Puts a .br and a .gz beside every file worth it, so that the server never compresses while somebody waits. */
function compressed(): Plugin {
  let folder = "";
  return {
    name: "leadgate-compressed",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir, build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const SHARED =
  /contract.lists.(?!lead|written|merge)|web.src.(filter.model.filter|records.(groups|lead-query|value)|table.sort|words.(file-size|row-count))\.ts/;

// the first that know light-dark(), which tokens.css is written in
const TARGET = ["chrome123", "edge123", "firefox120", "safari17.5"];

export default defineConfig({
  root: import.meta.dirname,
  base: "/panel/",
  publicDir: false,
  plugins: [react(), compressed(), referencePage(), viewDocuments(TARGET)],
  css: { postcss: { plugins: [preset({ features: { lightDarkFunction: false } })] } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    license: { fileName: "licenses.md" },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: TARGET,
    rollupOptions: {
      input: resolve(import.meta.dirname, "src/main.tsx"),
      // one file for short modules that many screens share; the lists of a lead's fields are long
      output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } },
    },
  },
});
