import { type Static, Type } from "typebox";

const OneVersion = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** The version that the caller has read, or several of which one must be the current one; an empty list matches none. */
export const Version = Type.Union([OneVersion, Type.Array(OneVersion)]);
export type Version = Static<typeof Version>;

/** Whether a change that is based on this version may be made; undefined accepts every version. */
export const isCurrent = (wanted: Version | undefined, current: number): boolean =>
  wanted === undefined || [wanted].flat().includes(current);
