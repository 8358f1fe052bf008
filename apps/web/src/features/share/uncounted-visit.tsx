/** Reports a visit from a browser without scripts. Other visits are counted when they follow the share. */
export function UncountedVisit({ secret }: { secret: string }) {
  return (
    <noscript>
      {/* biome-ignore lint/performance/noImgElement: there is no picture */}
      <img src={`/api/share/${secret}/visit`} alt="" hidden />
    </noscript>
  )
}
