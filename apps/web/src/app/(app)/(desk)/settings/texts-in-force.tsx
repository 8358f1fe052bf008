"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { ForProject } from "./for-project.tsx"
import styles from "./settings.module.css"
import { instructionsWords, skillWords } from "./text-words.ts"

/** The instructions and skills that count in a project; files change them, this page only tells. */
export function TextsInForce() {
  return (
    <>
      <ForProject empty="Instructions and skills show here once a project is open.">
        {(project) => <Texts key={project.id} project={project} />}
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
  if (texts.isPending) return <SkeletonRows count={3} height={44} label="Loading instructions and skills" />
  if (texts.isLoadingError)
    return (
      <ErrorState
        title="Instructions and skills cannot be listed"
        message={texts.error.message}
        onRetry={() => void texts.refetch()}
      />
    )
  const { instructions, skills } = texts.data
  return (
    <>
      <h3 className={styles.subheading}>Instructions</h3>
      {instructions.length === 0 ? <p className={styles.hint}>None count here.</p> : null}
      <ul>
        {instructions.map((one) => (
          <li key={one.name} className={styles.provider}>
            <span className={styles.text}>
              <span className={styles.name}>{visibleText(one.name)}</span>
              <span className={styles.meta}>{instructionsWords(one)}</span>
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
              <span className={styles.meta}>{[skillWords(skill, project.worktree), ...skill.notes].join(" · ")}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
