"use client"

import { useTRPC } from "@docket/client/react"
import type { InstalledPackage } from "@docket/core/schema"
import { usualPackages } from "@docket/core/usual-packages"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { Can } from "../../../../shell/me.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import { LazyPackageDialog } from "./lazy-package-dialog.tsx"
import styles from "./settings.module.css"

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" })

/** The AI SDK packages that the user has installed, and a field to look up another one. */
export function ProviderPackages() {
  const trpc = useTRPC()
  const installed = useQuery(trpc.provider.packages.queryOptions())
  return (
    <>
      {installed.isLoadingError ? (
        <ErrorState
          title="Packages cannot be listed"
          message={installed.error.message}
          onRetry={() => void installed.refetch()}
        />
      ) : null}
      <ul>
        {installed.data?.map((it) => (
          <Installed key={`${it.name} ${it.version}`} installed={it} />
        ))}
      </ul>
      <Can do="service.manage">
        <LookAtPackage />
      </Can>
      <p className={styles.hint}>
        Anthropic, OpenAI, Google and OpenAI-compatible servers need none. For others, name an AI SDK provider package
        as <code>npm</code> of a provider in <code>docket.json</code>. Nothing is installed until you agree.
      </p>
    </>
  )
}

function Installed({ installed: { name, version, source, time } }: { installed: InstalledPackage }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const remove = useMutation(trpc.provider.removePackage.mutationOptions({ onError: showProblem }))
  const takeAway = async () => {
    await remove.mutateAsync({ name, version })
    announce(`${name} ${version} is removed`)
    // The button disappears with its row, so focus moves to the heading.
    document.getElementById("packages")?.focus()
    void queries.invalidateQueries(trpc.provider.pathFilter())
  }
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <StatusGlyph status="done" label="Installed" />
        <span className={styles.text}>
          <code className={styles.name}>
            {name}@{version}
          </code>
          <span className={styles.meta}>
            Installed {dateFormat.format(time.installed)} from {new URL(source).host}
          </span>
        </span>
        <Can do="service.manage">
          <Button
            color="red"
            variant="subtle"
            aria-label={`Remove ${name} ${version}`}
            loading={remove.isPending}
            onClick={() => takeAway().catch(() => {})}
          >
            Remove
          </Button>
        </Can>
      </div>
    </li>
  )
}

function LookAtPackage() {
  const [name, setName] = useState("")
  const [openSpec, setOpenSpec] = useState<string | null>(null)
  return (
    <>
      <form
        className={styles.lookForm}
        onSubmit={(event) => {
          event.preventDefault()
          setOpenSpec(name.trim())
        }}
      >
        <TextInput
          className={styles.keyField ?? ""}
          aria-label="Name of a provider package"
          placeholder="Name of a package, such as @ai-sdk/groq"
          list="usual-packages"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <datalist id="usual-packages">
          {usualPackages.map((usual) => (
            <option key={usual.name} value={usual.name}>
              {usual.title}
            </option>
          ))}
        </datalist>
        <Button type="submit" disabled={name.trim() === ""}>
          Look at it
        </Button>
      </form>
      {openSpec === null ? null : <LazyPackageDialog spec={openSpec} onClose={() => setOpenSpec(null)} />}
    </>
  )
}
