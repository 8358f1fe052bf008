import { ConfigTrust, Project } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"

export const projectRecord = defineRecord({
  name: "Project",
  schema: Project,
  owner: "tenant",
  columns: { directory: "text", name: "text", opened: "number" },
  values: ({ time }) => ({ opened: time.opened }),
  unique: [["directory"]],
})

export const trustRecord = defineRecord({
  name: "ConfigTrust",
  schema: ConfigTrust,
  key: "hash",
  owner: "tenant",
  columns: { directory: "text", trusted: "number" },
  values: ({ time }) => ({ trusted: time.trusted }),
})
