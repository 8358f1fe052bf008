import type { Project } from "@docket/core/schema"
import { DocketError } from "@docket/core/store"
import { type Program, query, text, upsert } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { projectRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList, storedOrNull } from "./stored.ts"

export function* projectByDirectory(scope: Scope, directory: string): Program<Project | null> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Project" WHERE "tenantID" = $1 AND "directory" = $2`,
    tenantID,
    directory,
  )
  return storedOrNull(scope, shapes.Project, rows)
}

export function* listProjects(scope: Scope): Program<Project[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Project" WHERE "tenantID" = $1 ORDER BY "opened" DESC, "id" DESC`,
    tenantID,
  )
  return storedList(scope, shapes.Project, rows)
}

/** @throws DocketError invalid_input when another project has the directory */
export function* putProject({ tenantID }: Scope, project: Project): Program<void> {
  const [other] = yield* query(
    `SELECT "id" FROM "Project" WHERE "tenantID" = $1 AND "directory" = $2 AND "id" <> $3`,
    tenantID,
    project.directory,
    project.id,
  )
  if (other) {
    throw new DocketError("invalid_input", `${project.directory} is already project ${text(other, "id")}; use that one`)
  }
  yield* upsert("Project", [projectRow(tenantID, project)])
}
