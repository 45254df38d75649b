import cell from "../../leads/table/lead-cell.module.css";
import { statusColor } from "../../statuses/status-color.ts";
import parts from "./parts.module.css";

/** The statuses of a new project, which have colours in the panel. Answers do not say which ones a project has. */
const USUAL = ["new", "contacted", "qualified", "won", "lost"];

export const Status = ({ status }: { status: string }) => (
  <span className={cell.status}>
    <span
      className={cell.dot}
      style={{ background: `var(--mantine-color-${statusColor(USUAL, status)}-filled)` }}
      aria-hidden
    />
    <bdi>{status}</bdi>
  </span>
);

export const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className={parts.tags}>
    {tags.map((tag) => (
      <bdi className={parts.tag} key={tag}>
        {tag}
      </bdi>
    ))}
  </span>
);
