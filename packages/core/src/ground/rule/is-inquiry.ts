import type { PermissionMetadata } from "../schema/permission.ts"

/** What a person answers in choices and words, not by allowing anything. */
export type Inquiry = Extract<PermissionMetadata, { kind: "question" | "plan" }>

export function isInquiry(metadata: PermissionMetadata): metadata is Inquiry {
  return metadata.kind === "question" || metadata.kind === "plan"
}
