/* A figure along one axis: a line through its levels, and a dot for each cell. */
const palette = t => [t.lighter ? colours.sky : colours.blue, colours.vermillion, colours.green, colours.orange, colours.purple, t.soft];

class Drawing extends View {
  constructor(element) {
    super(element, () => null);
    this.figure = data.charts[element.dataset.chart];
    this.build = () => this.option();
  }

  option() {
    const { figure } = this;
    const t = theme();
    const at = level => figure.scaled ? Number(figure.levels[level]) : level;
    const option = baseOption(this, figure.unit, { xName: figure.x });
    delete option.dataZoom;
    if (figure.scaled) {
      option.xAxis.min = 0;
    } else {
      option.xAxis = Object.assign({}, option.xAxis, {
        type: 'category', data: figure.levels.map((level, i) => i), min: undefined, max: undefined,
        axisLabel: { color: t.soft, hideOverlap: true, interval: 0, formatter: i => figure.levels[i] }
      });
    }
    option.tooltip.formatter = items => {
      const lines = items.filter(i => i.seriesType === 'line' && i.value[1] !== null);
      if (lines.length === 0) return '';
      const level = figure.scaled ? number(lines[0].value[0]) : figure.levels[lines[0].value[0]];
      return echarts.format.encodeHTML(figure.x + ' ' + level) + '<br>' + lines.map(i => i.marker +
        echarts.format.encodeHTML(i.seriesName) + ' <b>' + number(i.value[1]) + '</b> ' + figure.unit).join('<br>');
    };
    const shades = palette(t);
    option.series = figure.lines.flatMap((one, i) => [
      line(one.name, shades[i], one.values.map((value, level) => [at(level), value]), { showSymbol: true, symbolSize: 8, z: 3 }),
      {
        name: one.name, type: 'scatter', data: one.dots.map(dot => [at(dot[0]), dot[1]]), symbolSize: 5, silent: true, z: 2,
        color: shades[i], itemStyle: { color: shades[i], opacity: 0.55 }
      }
    ]);
    option.legend.data = figure.lines.map(one => one.name);
    option.legend.show = figure.lines.length > 1;
    option.grid.bottom = figure.lines.length > 1 ? 66 : 46;
    return option;
  }
}

const drawings = [...document.querySelectorAll('.chart')].map(element => new Drawing(element));
const drawAll = () => drawings.forEach(drawing => { drawing.chart.resize({ width: 'auto' }); drawing.draw({}); });
drawAll();
window.addEventListener('resize', drawAll);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
window.addEventListener('beforeprint', () => { printing = true; drawAll(); });
window.addEventListener('afterprint', () => { printing = false; drawAll(); });
