import { closeSync, openSync, readSync } from "node:fs";

/** Machines in the header of an ELF program (System V ABI, e_machine), by the names that Node has for them. */
const MACHINES: Readonly<Record<number, string>> = {
  3: "ia32",
  21: "ppc64",
  22: "s390x",
  40: "arm",
  62: "x64",
  183: "arm64",
  243: "riscv64",
  258: "loong64",
};

/** The architecture for which an ELF program was built, such as `arm64`; undefined for other files and machines. */
export function architectureOf(path: string): string | undefined {
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header) < header.length || header.toString("latin1", 0, 4) !== "\x7fELF")
      return undefined;
  } finally {
    closeSync(file);
  }
  const isBigEndian = header[5] === 2;
  return MACHINES[isBigEndian ? header.readUInt16BE(18) : header.readUInt16LE(18)];
}
