/* A figure along one axis: a line through levels that are numbers, points with intervals where they are not, and a dot for each cell. */
const palette = t => [t.lighter ? colours.sky : colours.blue, colours.vermillion, colours.green, colours.orange, colours.purple, t.soft];
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'];

/** A series of strokes between pairs of points; a hole after each keeps them apart. */
function strokes(name, colour, pairs, width, more) {
  return line(name, colour, pairs.flatMap(([from, to]) => [from, to, [to[0], null]]),
    Object.assign({ showSymbol: false, silent: true, lineStyle: { color: colour, width } }, more));
}

class Drawing extends View {
  constructor(element) {
    super(element, () => null);
    this.figure = data.charts[element.dataset.chart];
    this.build = () => this.option();
  }

  option() {
    const { figure } = this;
    const t = theme();
    // Points of one level stand beside each other, so that their intervals can be told apart.
    const at = (level, i) => figure.scaled ? Number(figure.levels[level]) : level + (i - (figure.lines.length - 1) / 2) * 0.12;
    const option = baseOption(this, figure.unit, { xName: figure.x, whole: figure.unit === 'ops' });
    delete option.dataZoom;
    if (figure.scaled) {
      option.xAxis.min = 0;
    } else {
      Object.assign(option.xAxis, {
        min: -1, max: figure.levels.length, interval: 1, axisTick: { show: false },
        axisLabel: { color: t.soft, hideOverlap: true, formatter: v => figure.levels[v] || '' }
      });
    }
    option.tooltip.formatter = items => {
      const lines = items.filter(i => i.seriesType === 'line' && i.value[1] !== null);
      if (lines.length === 0) return '';
      const level = figure.scaled ? number(lines[0].value[0]) : figure.levels[Math.round(lines[0].value[0])];
      return echarts.format.encodeHTML(figure.x + ' ' + level) + '<br>' + lines.map(i => i.marker +
        echarts.format.encodeHTML(i.seriesName) + ' <b>' + number(i.value[1]) + '</b> ' + figure.unit).join('<br>');
    };
    const shades = palette(t);
    option.series = figure.lines.flatMap((one, i) => {
      const shade = shades[i];
      const points = one.values.map((value, level) => [at(level, i), value]);
      if (figure.scaled) points.sort((a, b) => a[0] - b[0]);
      const intervals = one.intervals.flatMap((interval, level) =>
        interval === null ? [] : [[[at(level, i), interval[0]], [at(level, i), interval[1]]]]);
      return [
        line(one.name, shade, points, {
          showSymbol: true, symbol: symbols[i], symbolSize: 9, z: 3, lineStyle: { color: shade, width: figure.scaled ? 2 : 0 }
        }),
        strokes(one.name, shade, intervals, 1.6),
        {
          name: one.name, type: 'scatter', data: one.dots.map(dot => [at(dot[0], i), dot[1]]), symbolSize: 5, silent: true, z: 2,
          color: shade, itemStyle: { color: shade, opacity: 0.55 }
        }
      ];
    });
    option.legend.show = figure.lines.length > 1;
    option.grid.bottom = figure.lines.length > 1 ? 66 : 46;
    option.grid.top = 34;
    return withLegend(option, this);
  }
}

/** Ratios with their intervals, each on the band by which the reference differed from itself. */
class Forest extends View {
  constructor(element) {
    super(element, () => null);
    this.rows = data.forest;
    this.build = () => this.option();
  }

  option() {
    const { rows } = this;
    const t = theme();
    const narrow = this.chart.getWidth() < 560;
    const percent = ratio => 100 * (ratio - 1);
    const option = baseOption(this, '', { xName: 'B relative to A (%)' });
    delete option.dataZoom;
    const intervals = rows.flatMap((row, i) => row.intervals[0] === null ? [] : [[percent(row.intervals[0][0]), percent(row.intervals[0][1]), i]]);
    const ends = intervals.flatMap(([low, high]) => [low, high]).concat(rows.flatMap(row => [percent(row.ratio), percent(row.floor), percent(1 / row.floor)]));
    const reach = 1.1 * Math.max(2, ...ends.map(Math.abs));
    const step = 10 ** Math.floor(Math.log10(reach));
    const end = Math.ceil(reach / step) * step;
    Object.assign(option.xAxis, {
      min: Math.max(-100, -end), max: end, splitLine: { show: true, lineStyle: { color: t.line, opacity: 0.6 } },
      axisLabel: { color: t.soft, hideOverlap: true, formatter: v => (v > 0 ? '+' : '') + number(v) }
    });
    option.yAxis = {
      type: 'category', inverse: true, data: rows.map(row => row.name), axisLine: { show: false }, axisTick: { show: false },
      axisLabel: {
        color: t.ink, interval: 0, width: narrow ? 110 : 230, overflow: 'break', fontSize: narrow ? 10 : 12,
        formatter: name => narrow ? name.replace(/, service time$/, '') : name
      }
    };
    option.grid.left = narrow ? 122 : 246;
    option.grid.top = 14;
    option.grid.right = 26;
    option.tooltip.trigger = 'item';
    option.tooltip.formatter = item => {
      const row = rows[item.value[1]];
      return echarts.format.encodeHTML(row.name) + '<br><b>' + echarts.format.encodeHTML(row.text) + '</b><br>' + row.outcome;
    };
    const points = (name, outcome, colour, symbol) => ({
      name, type: 'scatter', symbol, symbolSize: 11, color: colour, z: 4, emphasis: { disabled: true },
      data: rows.flatMap((row, i) => row.outcome === outcome ? [[percent(row.ratio), i]] : [])
    });
    option.series = [
      strokes('noise floor: A against A', t.lighter ? '#5b6673' : '#b9c2cc',
        rows.map((row, i) => [[percent(1 / row.floor), i], [percent(row.floor), i]]), 12),
      strokes('95 % interval', t.ink, intervals.map(([low, high, i]) => [[low, i], [high, i]]), 1.8),
      points('better', 'better', colours.green, 'circle'),
      points('worse', 'worse', colours.vermillion, 'diamond'),
      points('not distinguishable', 'not distinguishable', t.soft, 'rect'),
      {
        name: 'marks', type: 'line', data: [], silent: true, markLine: {
          silent: true, symbol: 'none', animation: false, label: { show: false }, data: [{ xAxis: 0, lineStyle: { color: t.ink, type: 'solid', width: 1 } }]
        }
      }
    ];
    return withLegend(option, this);
  }
}

const drawings = [...document.querySelectorAll('.chart')].map(element => element.dataset.chart === undefined ? new Forest(element) : new Drawing(element));
const drawAll = () => drawings.forEach(drawing => { drawing.chart.resize({ width: 'auto' }); drawing.draw({}); });
drawAll();
window.addEventListener('resize', drawAll);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
window.addEventListener('beforeprint', () => { printing = true; drawAll(); });
window.addEventListener('afterprint', () => { printing = false; drawAll(); });
