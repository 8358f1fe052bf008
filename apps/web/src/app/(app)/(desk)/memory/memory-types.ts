import type { MemoryType } from "@docket/core/schema"

export const memoryTypes: { value: MemoryType; label: string }[] = [
  { value: "user", label: "User" },
  { value: "feedback", label: "Feedback" },
  { value: "project", label: "Project" },
  { value: "reference", label: "Reference" },
  { value: "learning", label: "Learning" },
  { value: "context", label: "Context" },
]
