const views = [];
document.querySelectorAll('.chart').forEach(element => views.push(viewOf(element)));
if (views.length > 0) {
  board = new Board(views, 0, data.duration);
  board.state.log = anySteep();
  if (board.state.log) board.draw();
  board.bindControls();
}
