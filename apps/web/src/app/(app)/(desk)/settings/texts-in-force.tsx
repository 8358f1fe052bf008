"use client"

import { useTRPC } from "@docket/client/react"
import type { TextsInForce as TextsReport } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { ForProject } from "../../../../shell/for-project.tsx"
import { useChosenProject } from "../../../../shell/use-chosen-project.ts"
import { Loaded } from "../../../../ui/loaded.tsx"
import styles from "./settings.module.css"
import { instructionsLabel, skillLabel } from "./text-labels.ts"

/** The instructions and skills in force for a project. Read-only: they are changed in their files. */
export function TextsInForce() {
  const chosen = useChosenProject()
  return (
    <>
      <ForProject
        chosen={chosen}
        empty={<p className={styles.hint}>Instructions and skills show here once a project is open.</p>}
      >
        {(project) => <Texts project={project} />}
      </ForProject>
      <p className={styles.hint}>
        Instructions are <code>AGENTS.md</code>, <code>CLAUDE.md</code> and what they import; skills lie in{" "}
        <code>.docket/skills</code>, <code>.opencode/skills</code> or <code>.claude/skills</code>. A project’s count
        once you trust them. They give no rights. What is there and left out stands under{" "}
        <a href="#config">Configuration</a>.
      </p>
    </>
  )
}

function Texts({ project }: { project: Project }) {
  const trpc = useTRPC()
  const texts = useQuery(trpc.config.texts.queryOptions({ projectID: project.id }))
  return (
    <Loaded query={texts} failed="Instructions and skills cannot be listed" loading="Loading instructions and skills">
      {(known) => <TextLists texts={known} project={project} />}
    </Loaded>
  )
}

function TextLists({ texts: { instructions, skills }, project }: { texts: TextsReport; project: Project }) {
  return (
    <>
      <h3 className={styles.subheading}>Instructions</h3>
      {instructions.length === 0 ? <p className={styles.hint}>None count here.</p> : null}
      <ul>
        {instructions.map((one) => (
          <li key={one.name} className={styles.provider}>
            <span className={styles.text}>
              <span className={styles.name}>{visibleText(one.name)}</span>
              <span className={styles.meta}>{instructionsLabel(one)}</span>
            </span>
          </li>
        ))}
      </ul>
      <h3 className={styles.subheading}>Skills</h3>
      {skills.length === 0 ? (
        <p className={styles.hint}>None count here, so that agents have no tool for them.</p>
      ) : null}
      <ul>
        {skills.map((skill) => (
          <li key={skill.name} className={styles.provider}>
            <span className={styles.text}>
              <span className={styles.name}>{visibleText(skill.name)}</span>
              <span className={styles.meta}>{visibleText(skill.description)}</span>
              <span className={styles.meta}>{[skillLabel(skill, project.worktree), ...skill.notes].join(" · ")}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
