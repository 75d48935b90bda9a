// Applies the chosen colours before the page is drawn.
{
  let chosen = '';
  try {
    chosen = localStorage.getItem('jmmv-theme') ?? '';
  } catch {
    // storage is switched off: the colours are those of the system
  }
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
}
