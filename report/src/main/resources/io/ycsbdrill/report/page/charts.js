'use strict';
/* Shared by the report of one run and the comparison of two. Values are drawn as they are in the files: a missing one is a
   gap, and where there are more slices than pixels the lowest and the highest of each stretch are kept, never an average. */
const colours = {
  blue: '#0072B2', sky: '#56B4E9', green: '#009E73', orange: '#E69F00', vermillion: '#D55E00', purple: '#CC79A7', grey: '#7F7F7F'
};
const data = JSON.parse(document.getElementById('data').textContent);
const RAW_POINTS = 4000;

const zip = (xs, ys) => xs.map((x, i) => [x, ys[i]]);

/** Points within a range of time, reduced to the lowest and highest of each stretch when they are too many to draw. */
function envelope(xs, ys, from, to) {
  let first = 0;
  let last = xs.length;
  while (first < last && xs[first] < from) first++;
  while (last > first && xs[last - 1] > to) last--;
  first = Math.max(0, first - 1);
  last = Math.min(xs.length, last + 1);
  const step = Math.ceil((last - first) / (RAW_POINTS / 2));
  const points = [];
  if (last - first <= RAW_POINTS) {
    for (let i = first; i < last; i++) points.push([xs[i], ys[i]]);
    return points;
  }
  for (let i = first; i < last; i += step) {
    let low = i, high = i, hole = -1;
    for (let k = i; k < Math.min(last, i + step); k++) {
      if (ys[k] === null) { hole = k; continue; }
      if (ys[low] === null || ys[k] < ys[low]) low = k;
      if (ys[high] === null || ys[k] > ys[high]) high = k;
    }
    [...new Set([low, high].concat(hole < 0 ? [] : [hole]))].sort((a, b) => a - b).forEach(k => points.push([xs[k], ys[k]]));
  }
  return points;
}

function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return 'n/a';
  const size = Math.abs(value);
  const digits = size >= 100 || value === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

function axisNumber(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return number(value / 1e6) + ' M';
  if (size >= 1e3) return number(value / 1e3) + ' k';
  return number(value);
}

/** Milliseconds on an axis: from a second on as seconds. */
const axisMillis = value => Math.abs(value) >= 1000 ? number(value / 1000) + ' s' : value > 0 && value < 0.001 ? String(value) : number(value);

let printing = false;
function theme() {
  const dark = !printing && window.matchMedia('(prefers-color-scheme: dark)').matches;
  return dark
    ? { ink: '#e6eaef', soft: '#a3adb8', line: '#3a424c', back: '#14181d', lighter: true }
    : { ink: '#1b1f24', soft: '#57606a', line: '#d0d7de', back: '#ffffff', lighter: false };
}

/** Shaded phases; one is labelled only where its label fits. */
function phaseAreas(phases, view, shade) {
  const nodes = new Set(phases.map(p => p.node));
  const t = theme();
  return {
    silent: true,
    data: phases.map(p => {
      const text = p.label + (nodes.size > 1 ? ' ' + p.node : '');
      const width = pixel(view, p.to) - pixel(view, p.from);
      return [
        {
          name: text, xAxis: p.from,
          itemStyle: { color: p.colour, opacity: shade },
          label: { show: width > text.length * 6.5 + 6, position: 'insideTop', distance: 4, color: t.ink, fontSize: 11 }
        },
        { xAxis: p.to }
      ];
    })
  };
}

/** Vertical lines with labels above the plot; neighbours that would touch are put on different levels. */
function markLines(lines, view) {
  const t = theme();
  const lastAt = [];
  return {
    silent: true, symbol: 'none', animation: false,
    data: lines.map(line => {
      const x = pixel(view, line.at);
      const width = line.label.length * 7 + 8;
      let level = 0;
      while (level < 4 && lastAt[level] !== undefined && x - lastAt[level] < width) level++;
      if (level < 4) lastAt[level] = x;
      return {
        name: line.text, xAxis: line.at,
        lineStyle: { color: line.fault ? colours.vermillion : t.soft, type: line.fault ? 'solid' : 'dashed', width: line.fault ? 1.5 : 1 },
        label: {
          show: level < 4, formatter: line.label, position: 'end', distance: 3 + 13 * level,
          color: line.fault ? (t.lighter ? '#ff8a4c' : '#a33f00') : t.ink, fontWeight: 'bold', fontSize: 12
        }
      };
    })
  };
}

/** Where a time is on the screen; known from the second drawing on. */
function pixel(view, at) {
  return view.drawn ? view.chart.convertToPixel({ xAxisIndex: 0 }, at) : 0;
}

function baseOption(view, unit, options) {
  const t = theme();
  const narrow = view.chart.getWidth() < 560;
  const axis = { axisLine: { onZero: false, lineStyle: { color: t.soft } }, axisLabel: { color: t.soft, hideOverlap: true }, nameTextStyle: { color: t.soft } };
  return {
    animation: false, backgroundColor: printing ? '#ffffff' : 'transparent',
    textStyle: { fontFamily: 'system-ui, "Liberation Sans", sans-serif' },
    grid: { left: narrow ? 52 : 66, right: narrow ? 12 : 20, top: 58, bottom: options.slider ? 96 : 66 },
    legend: { bottom: 0, left: 'center', itemWidth: 28, textStyle: { color: t.ink } },
    tooltip: {
      trigger: 'axis', confine: true, backgroundColor: t.back, borderColor: t.line, textStyle: { color: t.ink, fontSize: 12 },
      axisPointer: { type: 'line', lineStyle: { color: t.soft } },
      formatter: items => items.length === 0 ? '' : number(Math.round(items[0].value[0] * 100) / 100) + ' s<br>' +
        items.map(i => i.marker + echarts.format.encodeHTML(i.seriesName) + ' <b>' + number(i.value[1]) + '</b> ' + unit).join('<br>')
    },
    xAxis: Object.assign({}, axis, {
      type: 'value', min: options.min === undefined ? 0 : options.min, max: options.max, name: options.xName || 'time since run start (s)',
      nameLocation: 'middle', nameGap: 26, splitLine: { show: false }, axisTick: { lineStyle: { color: t.soft } },
      axisLabel: { color: t.soft, hideOverlap: true, showMinLabel: options.min ? false : null, formatter: v => number(Math.round(v * 100) / 100) }
    }),
    yAxis: Object.assign({}, axis, {
      type: options.log ? 'log' : 'value', name: unit, nameLocation: 'end', nameGap: 10,
      nameTextStyle: { color: t.soft, align: 'right' }, min: options.log ? undefined : value => value.min < 0 ? null : 0, boundaryGap: options.log ? undefined : [0, '12%'], minInterval: options.whole ? 1 : undefined, splitNumber: view.chart.getHeight() < 240 ? 3 : 5,
      splitLine: { lineStyle: { color: t.line, opacity: 0.6 } }, axisLabel: { color: t.soft, formatter: unit === 'ms' ? axisMillis : axisNumber }
    }),
    dataZoom: [{ type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false, preventDefaultMouseMove: false, minValueSpan: 1 }]
      .concat(options.slider ? [{
        type: 'slider', filterMode: 'none', bottom: 30, height: 20, brushSelect: false, minValueSpan: 1, showDetail: !narrow,
        textStyle: { color: t.soft }, labelFormatter: v => number(Math.round(v * 10) / 10) + ' s', borderColor: t.line
      }] : []),
    aria: { enabled: false }
  };
}

function line(name, colour, points, more) {
  const option = Object.assign({
    name, type: 'line', data: points, color: colour, itemStyle: { color: colour }, lineStyle: { color: colour, width: 2 },
    symbol: 'circle', symbolSize: 5, showSymbol: points.length <= 120, connectNulls: false, emphasis: { disabled: true }
  }, more);
  if (!option.showSymbol) option.symbol = 'none';
  return option;
}

const drawn = point => (Array.isArray(point) ? point[1] : point !== null && point.value !== undefined ? point.value : point) !== null;

/**
 * Gives a chart its legend: of what is drawn in it only, looking as the lines do, with a symbol where the points have one, and in as many
 * lines as a narrow chart needs to show all of it.
 */
function withLegend(option, view) {
  const shown = option.series.filter(one => one.name !== 'marks' && one.data.some(drawn));
  if (shown.some(one => one.type === 'scatter')) option.legend.itemWidth = 16; // a symbol as wide as a line is distorted
  option.legend.data = [...new Map(shown.map(one =>
    [one.name, one.lineStyle && one.lineStyle.width > 8 ? { name: one.name, icon: 'rect' }
      : one.symbol === 'none' ? { name: one.name, itemStyle: { opacity: 0 } } : { name: one.name }]).reverse()).values()].reverse();
  let lines = 1;
  let used = 0;
  option.legend.data.forEach(entry => {
    const width = option.legend.itemWidth + 15 + 7.2 * entry.name.length;
    if (used > 0 && used + width > view.chart.getWidth() - 20) {
      lines++;
      used = 0;
    }
    used += width;
  });
  option.grid.bottom += 24 * (lines - 1);
  (option.dataZoom || []).filter(zoom => zoom.type === 'slider').forEach(zoom => { zoom.bottom += 24 * (lines - 1); });
  return option;
}

/** What a chart shows, as a file: on paper's colours, whatever the screen's are. */
function download(name, type, content) {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function csvOf(option) {
  const cell = value => value === null || value === undefined || value === '-' ? ''
    : /[",\n]/.test(value) ? '"' + String(value).replace(/"/g, '""') + '"' : value;
  const rows = option.series.filter(series => series.name !== 'marks').flatMap(series => series.data.map((point, i) => {
    const value = point !== null && point.value !== undefined ? point.value : point;
    return [series.name].concat(Array.isArray(value) ? value : [i, value]).map(cell).join(',');
  }));
  return ['series,x,y'].concat(rows).join('\n') + '\n';
}

function onPaper(view, then) {
  printing = true;
  view.draw(view.state);
  const svg = new XMLSerializer().serializeToString(view.chart.getDom().querySelector('svg'));
  printing = false;
  view.draw(view.state);
  then(svg);
}

function savingButtons(view, element) {
  const heading = element.previousElementSibling && element.parentElement.querySelectorAll('h3').length
    ? [...element.parentElement.querySelectorAll('h3')].filter(h => h.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING).pop() : null;
  const name = (heading ? heading.textContent : 'chart').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const box = document.createElement('div');
  box.className = 'save';
  const add = (text, what) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.setAttribute('aria-label', text + ' of the chart ' + (heading ? heading.textContent : ''));
    button.addEventListener('click', what);
    box.append(button);
  };
  add('SVG', () => onPaper(view, svg => download(name + '.svg', 'image/svg+xml', svg)));
  add('PNG', () => onPaper(view, svg => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = 2 * view.chart.getWidth();
      canvas.height = 2 * view.chart.getHeight();
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => download(name + '.png', 'image/png', blob));
    };
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
  }));
  add('CSV', () => download(name + '.csv', 'text/csv', csvOf(view.build(view, view.state))));
  element.after(box);
}

/** A link to a definition opens what hides it. */
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const hidden = target && target.closest('details');
  if (hidden && !hidden.open) {
    hidden.open = true;
    target.scrollIntoView();
  }
}
window.addEventListener('hashchange', openTarget);
openTarget();

/** A chart that builds its option anew for every range, size and theme. */
class View {
  constructor(element, build) {
    this.chart = echarts.init(element, null, { renderer: 'svg' });
    this.build = build;
    this.drawn = false;
    savingButtons(this, element);
  }

  draw(state) {
    this.state = state;
    // Labels need to know how wide things are, so everything is drawn twice the first time.
    const rounds = this.drawn ? 1 : 2;
    for (let i = 0; i < rounds; i++) {
      const option = this.build(this, state);
      if (this.drawn) delete option.dataZoom;
      this.chart.setOption(option, { replaceMerge: ['series'] });
      this.drawn = true;
    }
  }
}

/** Draws all views together: one range of time, one level of detail. */
class Board {
  constructor(views, min, max) {
    this.views = views;
    this.min = min;
    this.max = max;
    this.state = { from: min, to: max, mode: 'auto', log: false };
    this.pending = 0;
    views.forEach(v => this.join(v));
    this.draw();
    let width = window.innerWidth;
    window.addEventListener('resize', () => {
      if (window.innerWidth === width || printing) return;
      width = window.innerWidth;
      this.resize();
    });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    window.addEventListener('beforeprint', () => { printing = true; this.resize(680); });
    window.addEventListener('afterprint', () => { printing = false; this.resize(); });
  }

  join(view) {
    view.chart.group = 'run';
    echarts.connect('run');
    view.chart.on('datazoom', () => this.zoomed(view));
  }

  /** A further view of a run that goes on. */
  add(view) {
    this.join(view);
    if (!this.views.includes(view)) this.views.push(view);
    view.draw(this.state);
    if (!this.whole()) this.zoomTo(this.state.from, this.state.to);
  }

  /** The run has grown: a part of it that was zoomed to stays in place, and one that ended with the run moves along. */
  extend(max) {
    const whole = this.whole();
    const grown = max - this.max;
    const along = this.state.to >= this.max - 1e-6 ? grown : 0;
    this.max = max;
    if (whole) {
      this.state.to = max;
    } else {
      this.zoomTo(this.state.from + along, this.state.to + along);
    }
    this.draw();
  }

  whole() {
    return this.state.from <= this.min + 1e-6 && this.state.to >= this.max - 1e-6;
  }

  resize(width) {
    this.views.forEach(v => v.chart.resize({ width: width || 'auto' }));
    this.draw();
    this.draw();
  }

  draw() {
    this.views.forEach(v => v.draw(this.state));
  }

  zoomed(view) {
    const zoom = view.chart.getOption().dataZoom[0];
    this.state.from = this.min + (this.max - this.min) * zoom.start / 100;
    this.state.to = this.min + (this.max - this.min) * zoom.end / 100;
    if (!this.pending) {
      this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(); });
    }
  }

  zoomTo(from, to) {
    this.views[0].chart.dispatchAction({
      type: 'dataZoom',
      start: 100 * (Math.max(this.min, from) - this.min) / (this.max - this.min),
      end: 100 * (Math.min(this.max, to) - this.min) / (this.max - this.min)
    });
  }

  /** Whether slices are what is to be looked at: asked for, or zoomed in so far that windows say little. */
  detailed() {
    const span = this.state.to - this.state.from;
    return this.state.mode === 'slices' || this.state.mode === 'auto' && span <= Math.min(60, 0.6 * (this.max - this.min));
  }

  bindControls() {
    document.querySelectorAll('input[name=detail]').forEach(input => input.addEventListener('change', () => {
      this.state.mode = input.value;
      this.draw();
    }));
    document.querySelectorAll('button[data-from]').forEach(button => button.addEventListener('click', () =>
      this.zoomTo(Number(button.dataset.from), Number(button.dataset.to))));
    const log = document.getElementById('log');
    if (log) {
      log.checked = this.state.log;
      log.addEventListener('change', () => { this.state.log = log.checked; this.draw(); });
    }
  }
}
