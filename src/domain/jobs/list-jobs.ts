import { memberOperation } from "../operation/operation.ts";
import { JobList, type JobPage, jobPage } from "./job-page.ts";
import { jobRecords } from "./job-record.ts";

/** The project's bulk changes and undos that run in the background, newest first. */
export const listJobs = memberOperation({
  name: "jobs.list",
  needs: "leads:write",
  changes: false,
  input: JobList,
  async run(context, input): Promise<JobPage> {
    const records = (rows: string, parameters: Parameters<typeof jobRecords>[2]) =>
      jobRecords(rows, context.caller, parameters);
    return await jobPage(context, input, { name: "jobs.list", kinds: ["bulk", "undo"], records });
  },
});
