"use client"

import { useTRPC } from "@docket/client/react"
import type { NamedPlace, Project } from "@docket/core/schema"
import { Button, SegmentedControl, Select, TextInput } from "@mantine/core"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ArrowUp, Folder, FolderGit2 } from "lucide-react"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { useMe } from "../../shell/me.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import styles from "./project-picker.module.css"
import { RepositoryForm } from "./repository-form.tsx"

/** Number of projects that are listed as recent. */
const recentCount = 5

/** Opens a project: a recent one, a directory by its path or by browsing, or a repository. */
export function ProjectPicker(props: { opened: boolean; onClose: () => void; onOpened: (project: Project) => void }) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Open a project" size={560}>
      {props.opened ? <Places onOpened={props.onOpened} /> : null}
    </Dialog>
  )
}

function Places({ onOpened }: { onOpened: (project: Project) => void }) {
  const [from, setFrom] = useState("directory")
  return (
    <div className={styles.form}>
      <SegmentedControl
        aria-label="Where the files are"
        data={[
          { value: "directory", label: "A directory" },
          { value: "repository", label: "A repository" },
        ]}
        value={from}
        onChange={setFrom}
      />
      {from === "directory" ? <Picker onOpened={onOpened} /> : <RepositoryForm onOpened={onOpened} />}
    </div>
  )
}

function Picker({ onOpened }: { onOpened: (project: Project) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { hasTeam } = useMe()
  const places = useQuery(trpc.project.places.queryOptions()).data ?? []
  const opening = useMutation(trpc.project.open.mutationOptions())
  const [typed, setTyped] = useState("")
  const [path, setPath] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const at = places.find(({ place }) => place === chosen) ?? places[0]
  const openDirectory = async (directory: string, place = at?.place) => {
    const project = await opening.mutateAsync({ directory, place })
    void queries.invalidateQueries(trpc.project.list.pathFilter())
    onOpened(project)
  }
  const show = (directory: string) => {
    setPath(directory)
    setTyped(directory)
    opening.reset()
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        // The field shows the error.
        openDirectory(typed.trim()).catch(() => {})
      }}
    >
      {places.length > 1 ? (
        <Select
          label="Host"
          data={places.map(({ place, name }) => ({ value: place, label: name }))}
          value={at?.place ?? null}
          allowDeselect={false}
          onChange={(place) => {
            setChosen(place)
            setPath(null)
            opening.reset()
          }}
        />
      ) : null}
      <div className={styles.line}>
        <TextInput
          className={styles.path ?? ""}
          label={labelOf(at, hasTeam)}
          placeholder="/home/you/project"
          data-autofocus
          spellCheck={false}
          value={typed}
          error={opening.error?.message}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" disabled={typed.trim() === ""} loading={opening.isPending}>
          Open
        </Button>
      </div>
      <Recent
        onPick={(project) => {
          if (project.repository !== undefined) onOpened(project)
          else openDirectory(project.directory, project.place).catch(() => {})
        }}
      />
      <Directories path={path} place={at?.place} onShow={show} />
    </form>
  )
}

function labelOf(at: NamedPlace | undefined, hasTeam: boolean): string {
  if (at === undefined) return hasTeam ? "Directory on the server" : "Directory on this machine"
  return at.kind === "host" ? `Directory on ${at.name}` : `Directory in the storage ${at.name}`
}

function Recent({ onPick }: { onPick: (project: Project) => void }) {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  if (!projects.data || projects.data.length === 0) return null
  return (
    <section>
      <h3 className={styles.heading}>Recent</h3>
      <ul>
        {projects.data.slice(0, recentCount).map((project) => (
          <li key={project.id}>
            <button type="button" className={styles.row} onClick={() => onPick(project)}>
              <FolderGit2 size={14} aria-hidden />
              <span>{project.name}</span>
              <span className={styles.where}>{project.directory}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface DirectoriesProps {
  /** Absolute; null for where browsing begins. */
  path: string | null
  place: string | undefined
  onShow: (path: string) => void
}

function Directories({ path, place, onShow }: DirectoriesProps) {
  const trpc = useTRPC()
  const listing = useQuery({
    ...trpc.project.directories.queryOptions({ path: path ?? undefined, place }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (listing.isPending) return <SkeletonRows count={6} label="Loading directories" />
  if (listing.isLoadingError)
    return <ErrorState title="This directory cannot be listed" message={listing.error.message} />
  const { parent, entries } = listing.data
  const join = (name: string) => `${listing.data.path.replace(/[\\/]$/, "")}/${name}`
  return (
    <section>
      <h3 className={styles.heading}>
        Browse <code>{listing.data.path}</code>
      </h3>
      <ul className={styles.entries} aria-label={`Directories in ${listing.data.path}`}>
        {parent !== null ? (
          <li>
            <button type="button" className={styles.row} onClick={() => onShow(parent)}>
              <ArrowUp size={14} aria-hidden />
              <span>Up to {parent}</span>
            </button>
          </li>
        ) : null}
        {entries.map((entry) => (
          <li key={entry.name}>
            <button type="button" className={styles.row} onClick={() => onShow(join(entry.name))}>
              {entry.git ? <FolderGit2 size={14} aria-hidden /> : <Folder size={14} aria-hidden />}
              <span>{entry.name}</span>
              {entry.git ? <span className={styles.where}>git</span> : null}
            </button>
          </li>
        ))}
        {entries.length === 0 ? <li className={styles.none}>No directories in here.</li> : null}
      </ul>
    </section>
  )
}
