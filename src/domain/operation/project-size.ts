import { serviceDoor } from "../../db/pool/project-door.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import type { Service } from "./service/service.ts";

/** The size of a project: below 1,000 leads, below 20,000, or more. */
export type ProjectSize = "small" | "medium" | "large";

const MEDIUM = 1_000;
const LARGE = 20_000;
const EVERY_MS = 3_600_000;
const REMEMBERED = 20_000;
/** How many projects wait to be counted; others are counted after a later call. */
const WAITING = 1_000;

/** Stops at the first lead of a large project, and reads the index of the newest leads alone. */
const LEADS = `SELECT count(*)::integer AS leads FROM (
    SELECT FROM lead WHERE project_id = $1 AND ${NOT_DELETED} LIMIT ${LARGE}
  ) AS counted`;

/** The sizes that were read lately; in two halves, so that the older one can be dropped. */
let sizes = new Map<string, { size: ProjectSize; readAt: number }>();
let earlier = new Map<string, { size: ProjectSize; readAt: number }>();
const waiting = new Set<string>();
let reading: Promise<void> = Promise.resolve();

const known = (projectId: string) => sizes.get(projectId) ?? earlier.get(projectId);

/** Returns the size of a project; undefined if it was not read yet. */
export const sizeOf = (projectId: string): ProjectSize | undefined => known(projectId)?.size;

/**
 * Notes that a credential of this project was accepted. Reads its size once an hour, one project after another. The response
 * does not wait for it.
 */
export function noteSize(service: Service, projectId: string): void {
  const readAt = known(projectId)?.readAt ?? 0;
  if (Date.now() - readAt < EVERY_MS || waiting.has(projectId) || waiting.size >= WAITING) return;
  waiting.add(projectId);
  reading = reading.then(async () => {
    try {
      await read(service, projectId);
    } catch (error) {
      service.log.debug({ err: error }, "the size of a project was not read; one of its next calls will");
    } finally {
      waiting.delete(projectId);
    }
  });
}

async function read({ db }: Service, projectId: string): Promise<void> {
  const own = db.behind(serviceDoor(projectId), { lane: "query", owner: projectId });
  const [row] = await own.query<{ leads: number }>(LEADS, [projectId]);
  const leads = row?.leads ?? 0;
  const size = leads >= LARGE ? "large" : leads >= MEDIUM ? "medium" : "small";
  if (sizes.size >= REMEMBERED) [sizes, earlier] = [new Map(), sizes];
  sizes.set(projectId, { size, readAt: Date.now() });
}
