// This runs before anything is drawn, so that a dark page never flashes white.
;(function () {
  var kept = localStorage.getItem('mantine-color-scheme-value')
  var isDark = matchMedia('(prefers-color-scheme: dark)').matches
  var scheme = kept === 'light' || kept === 'dark' ? kept : isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
