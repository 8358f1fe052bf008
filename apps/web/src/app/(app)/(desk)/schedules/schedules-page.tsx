"use client"

import { useTRPC } from "@docket/client/react"
import type { Schedule } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { Can, useMe } from "../../../../shell/me.tsx"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { Loaded } from "../../../../ui/loaded.tsx"
import page from "../../../../ui/page.module.css"
import { ScheduleForm } from "./schedule-form.tsx"
import { ScheduleRow } from "./schedule-row.tsx"

/** Prompts that Docket sends on a schedule: the next time and the last results of each. */
export function SchedulesPage() {
  const trpc = useTRPC()
  const schedules = useQuery(trpc.schedule.list.queryOptions({}))
  const projects = useQuery(trpc.project.list.queryOptions())
  const [adding, setAdding] = useState(false)
  const { can } = useMe()
  return (
    <div className={page.page}>
      <PageHeader
        actions={
          <Can do="schedule.edit">
            <Button
              leftSection={<Plus size={14} aria-hidden />}
              disabled={!projects.data?.length}
              onClick={() => setAdding(true)}
            >
              New schedule
            </Button>
          </Can>
        }
      >
        <h1>Schedules</h1>
      </PageHeader>
      <div className={page.main}>
        {adding && projects.data ? <ScheduleForm projects={projects.data} onClose={() => setAdding(false)} /> : null}
        <Loaded query={schedules} failed="Schedules cannot be listed" loading="Loading schedules" rows={4} height={52}>
          {(known) =>
            known.length > 0 ? (
              <Lists schedules={known} />
            ) : adding ? null : (
              <EmptyState
                action={
                  can("schedule.edit") && projects.data?.length ? (
                    <Button onClick={() => setAdding(true)}>Make the first schedule</Button>
                  ) : undefined
                }
              >
                A schedule prompts an agent at the times you name, such as every weekday at nine. Nothing is scheduled.
              </EmptyState>
            )
          }
        </Loaded>
      </div>
    </div>
  )
}

function isLive({ status }: Schedule): boolean {
  return status === "active" || status === "paused"
}

function Lists({ schedules }: { schedules: Schedule[] }) {
  const live = schedules.filter(isLive).sort((a, b) => (a.nextFireAt ?? Infinity) - (b.nextFireAt ?? Infinity))
  const ended = schedules.filter((schedule) => !isLive(schedule))
  return (
    <>
      <List title="Planned" schedules={live} />
      <List title="Ended" schedules={ended} />
    </>
  )
}

function List({ title, schedules }: { title: string; schedules: Schedule[] }) {
  if (schedules.length === 0) return null
  return (
    <section className={page.section}>
      <h2 className={page.heading}>
        {title} <span className="tabular">{schedules.length}</span>
      </h2>
      <ul aria-label={title}>
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </ul>
    </section>
  )
}
