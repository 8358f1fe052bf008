import type { Project } from "@docket/core/schema"
import { ChoiceField } from "../ui/choice-field.tsx"
import { rememberProject } from "./last-project.ts"

interface ProjectFieldProps {
  label?: string
  projects: readonly Project[]
  value: string
  onChange(projectID: string): void
}

/** Chooses a project, which becomes the default on other pages. */
export function ProjectField({ label = "In project", projects, value, onChange }: ProjectFieldProps) {
  return (
    <ChoiceField
      label={label}
      value={value}
      choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => {
        rememberProject(id)
        onChange(id)
      }}
    />
  )
}
