"use client"

import { Button } from "@mantine/core"
import { ErrorState } from "../../ui/error-state.tsx"
import styles from "./text-viewer.module.css"
import { TextViewer } from "./text-viewer.tsx"
import { useOutput } from "./use-output.ts"

interface OutputViewerProps {
  partID: string
  command: string
  onClose(): void
}

export function OutputViewer({ partID, command, onClose }: OutputViewerProps) {
  const output = useOutput(partID)
  return (
    <TextViewer
      title="Full output"
      noun="output"
      head={
        <p className={styles.command} title={command}>
          $ {command}
        </p>
      }
      count={output.count}
      lines={output.lines}
      texts={output.texts}
      whole={output.whole}
      wrapped={false}
      loading={output.loading}
      problem={
        output.error ? (
          <ErrorState title="The output cannot be read" message={output.error.message} onRetry={output.retry} />
        ) : undefined
      }
      more={
        output.more ? (
          <>
            {" of more. "}
            <Button onClick={output.more}>Load more</Button>
          </>
        ) : null
      }
      onClose={onClose}
    />
  )
}
