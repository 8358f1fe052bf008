import type { TaskSummary } from "@docket/core/schema"
import type { ChangedFile } from "../../../../../../features/changed-files/changed-files.ts"
import { DiffFigures } from "../../../../../../features/tools/tool-header.tsx"
import { ErrorState } from "../../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../../ui/skeleton-rows.tsx"
import styles from "./compare.module.css"
import type { ComparedFile, Pair } from "./compared.ts"

interface CompareFilesProps {
  pair: Pair<TaskSummary>
  /** Null while loading. */
  files: readonly ComparedFile[] | null
  error: string | null
}

/** The files that two tasks changed, with the line counts of each task. */
export function CompareFiles({ pair: [left, right], files, error }: CompareFilesProps) {
  if (files === null && error !== null) return <ErrorState title="The changes cannot be shown" message={error} />
  if (files === null) return <SkeletonRows count={3} label="Loading the changed files" />
  if (files.length === 0) return <p className={styles.none}>Neither of them changed a file.</p>
  return (
    <table className={styles.facts}>
      <caption className={styles.caption}>Files</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Path</span>
          </th>
          <th scope="col">#{left.number}</th>
          <th scope="col">#{right.number}</th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ path, sides }) => (
          <tr key={path}>
            <th scope="row" className={styles.path} title={path}>
              <bdi>{path}</bdi>
            </th>
            <td>
              <Lines file={sides[0]} />
            </td>
            <td>
              <Lines file={sides[1]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ file }: { file: ChangedFile | null }) {
  if (file === null) return <span className={styles.none}>not changed</span>
  if (file.lines === null) return <>{file.kind}</>
  return <DiffFigures additions={file.lines.added} deletions={file.lines.removed} />
}
