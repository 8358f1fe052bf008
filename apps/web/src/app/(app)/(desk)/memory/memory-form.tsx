"use client"

import { useTRPC } from "@docket/client/react"
import type { Memory, MemoryType } from "@docket/core/schema"
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { ChoiceField } from "../../../../ui/choice-field.tsx"
import entries from "../../../../ui/entries.module.css"
import styles from "./memory.module.css"
import { memoryTypes } from "./memory-types.ts"

/** The select's value for memory that is valid everywhere; otherwise it is a project id. */
const everywhere = ""

/** Adds an entry, or changes the given one. */
export function MemoryForm({ memory, onClose }: { memory?: Memory; onClose(): void }) {
  const [type, setType] = useState<MemoryType>(memory?.type ?? "project")
  const [title, setTitle] = useState(memory?.title ?? "")
  const [content, setContent] = useState(memory?.content ?? "")
  const [tags, setTags] = useState(memory?.tags.join(", ") ?? "")
  const [projectID, setProject] = useState(everywhere)
  const { save, saving, problem } = useSave(memory, onClose)
  const projects = useQuery(useTRPC().project.list.queryOptions())
  const fields = {
    type,
    title: title.trim(),
    content,
    tags: tags
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  }
  return (
    <form
      className={entries.form}
      aria-label={memory ? `Edit ${memory.title}` : "New entry"}
      onSubmit={(event) => {
        event.preventDefault()
        save({ ...fields, ...(projectID === everywhere ? {} : { projectID }) })
      }}
    >
      <div className={styles.types}>
        <SegmentedControl
          aria-label="Type of the entry"
          data={memoryTypes}
          value={type}
          // The control returns one of the values above.
          onChange={(value) => setType(value as MemoryType)}
        />
      </div>
      <TextInput
        label="Title"
        required
        autoFocus
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label="What to know"
        autosize
        minRows={3}
        maxRows={16}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <TextInput
        label="Tags, with commas between"
        value={tags}
        onChange={(event) => setTags(event.currentTarget.value)}
      />
      {memory ? null : (
        <ChoiceField
          label="For"
          value={projectID}
          onChange={setProject}
          choices={[
            { value: everywhere, label: "Every project" },
            ...(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {problem ? (
        <p role="alert" className={entries.problem}>
          {problem}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button type="submit" variant="filled" disabled={fields.title === ""} loading={saving}>
          Save
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  )
}

interface Fields {
  type: MemoryType
  title: string
  content: string
  tags: string[]
  projectID?: string
}

function useSave(memory: Memory | undefined, onSaved: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const done = {
    onSuccess: async () => {
      announce("Saved")
      await queries.invalidateQueries(trpc.memory.pathFilter())
      onSaved()
    },
  }
  const create = useMutation(trpc.memory.create.mutationOptions(done))
  const update = useMutation(trpc.memory.update.mutationOptions(done))
  return {
    saving: create.isPending || update.isPending,
    problem: (create.error ?? update.error)?.message ?? null,
    save({ projectID, ...fields }: Fields) {
      if (memory) update.mutate({ memory: memory.id, ...fields })
      else create.mutate({ ...fields, source: "user", ...(projectID === undefined ? {} : { projectID }) })
    },
  }
}
