import type { FastifyRequest } from "fastify";
import { notFound } from "../../../core/refusal.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { describeProject, type ProjectGlance } from "../../../domain/projects/describe-project.ts";
import type { Visitor } from "./signed-in.ts";

/** Returns the project in the URL; `not_found` unless the visitor is a member. */
export async function projectAt(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
): Promise<ProjectGlance> {
  const { project: projectId } = request.params as { project: string };
  const project = await perform(service, describeProject, visitor, { projectId });
  if (project === undefined) throw notFound("project");
  return project;
}
