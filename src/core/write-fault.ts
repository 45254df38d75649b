/** Why a database that answers takes no changes: its disk is full, or it is read-only (a standby, or by a setting). */
export type WriteFault = "storage_full" | "read_only";

/** By PostgreSQL's codes (appendix A). */
const FAULTS: Readonly<Record<string, WriteFault>> = { "53100": "storage_full", "25006": "read_only" };

/** Returns the write fault that an error code of PostgreSQL means; undefined for other codes. */
export const writeFaultOf = (code: string): WriteFault | undefined => FAULTS[code];
