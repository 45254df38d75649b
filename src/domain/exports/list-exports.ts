import { JobList, type JobPage, jobPage } from "../jobs/job-page.ts";
import { memberOperation } from "../operation/operation.ts";
import { exportRecords } from "./export-record.ts";

/** The project's exports, newest first. */
export const listExports = memberOperation({
  name: "exports.list",
  needs: "leads:read",
  input: JobList,
  async run(context, input): Promise<JobPage> {
    return await jobPage(context, input, { name: "exports.list", kinds: ["export"], records: exportRecords });
  },
});
