import type { PermissionMetadata } from "../schema/permission.ts"

/** A request that a person answers with choices and words, and not by allowing something. */
export type Inquiry = Extract<PermissionMetadata, { kind: "question" | "plan" }>

export function isInquiry(metadata: PermissionMetadata): metadata is Inquiry {
  return metadata.kind === "question" || metadata.kind === "plan"
}
