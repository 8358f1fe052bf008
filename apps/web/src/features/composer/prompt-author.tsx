import type { Turn } from "@docket/core/schema"
import { Initials, PersonName } from "../../ui/person.tsx"

/** Who wrote a queued prompt, or took it back. */
export function PromptAuthor({ by }: { by: Turn["by"] }) {
  return (
    <>
      <Initials person={by} />
      <PersonName person={by} />
    </>
  )
}
